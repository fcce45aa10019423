// Boost.Asio: a pool of threads, a strand and a timer.
#include <boost/asio.hpp>
#include <boost/thread/thread.hpp>
#include <cstdio>

int main() {
  boost::asio::io_context context;
  boost::asio::io_context::strand strand(context);
  boost::asio::steady_timer timer(context, std::chrono::milliseconds(5));
  long sum = 0;
  for (int n = 1; n <= 6; ++n) boost::asio::post(context, [&, n] { strand.post([&, n] { sum += n; }); });
  timer.async_wait(
      [&](const boost::system::error_code& error) { strand.post([&sum, error] { sum += error ? 1000 : 100; }); });
  boost::thread_group threads;
  for (int i = 0; i < 3; ++i) threads.create_thread([&] { context.run(); });
  threads.join_all();
  std::printf("%ld\n", sum);
  return sum != 121;
}
