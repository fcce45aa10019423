#include <atomic>
class QRunnable {
 public:
  QRunnable() : ref(0) {}
  virtual void run() = 0;
  virtual ~QRunnable();

 private:
  int ref;
};
class QThreadPool {
 public:
  static QThreadPool* globalInstance();
  void start(QRunnable* runnable, int priority = 0);
  bool waitForDone(int milliseconds = -1);
  void setMaxThreadCount(int count);
};
std::atomic<int> done;
struct Task : QRunnable {
  void run() override { ++done; }
};
int main() {
  QThreadPool* pool = QThreadPool::globalInstance();
  pool->setMaxThreadCount(3);
  for (int i = 0; i < 4; i++) pool->start(new Task);
  pool->waitForDone();
  return done == 4 ? 0 : 3;
}
