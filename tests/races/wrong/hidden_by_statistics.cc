// Both threads write a statistic under a lock, which says nothing about the message beside it.
#include <mutex>
#include <string>
#include <thread>

struct Job {
  std::mutex lock;
  int last_size = 0;
  char message[24] = "none";
};

int main() {
  auto* job = new Job;
  std::thread first([job] {
    job->message[3] = 'x';
    std::lock_guard guard(job->lock);
    job->last_size = 1;
  });
  std::thread second([job] {
    {
      std::lock_guard guard(job->lock);
      job->last_size = 2;
    }
    job->message[3] = 'y';
  });
  first.join();
  second.join();
  delete job;
  return 0;
}
