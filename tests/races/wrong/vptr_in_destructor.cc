// The destructor of the base sets the pointer to the functions, which another thread reads.
#include <atomic>
#include <thread>

struct Base {
  virtual ~Base() { done.store(true, std::memory_order_relaxed); }
  virtual int kind() { return 1; }
  std::atomic<bool> done{false};
};
struct Derived : Base {
  int kind() override { return 2; }
};

alignas(Derived) unsigned char room[sizeof(Derived)];

int main() {
  Base* object = new (room) Derived;
  std::thread user([object] { (void)object->kind(); });
  object->~Base();
  user.join();
  return 0;
}
