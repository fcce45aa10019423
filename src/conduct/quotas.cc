#include "conduct/quotas.h"

#include <algorithm>

namespace snarl::conduct {

void Quotas::begin(uint64_t interval) {
  interval_ = interval;
  times_ = 1;
  number_ = 0;
  at_work_.clear();
  resting_.clear();
}

void Quotas::give(ThreadId t) {
  Share& share = threads_[t];
  const double events = share.carried + share.speed * static_cast<double>(interval_ * times_);
  share.left = static_cast<uint64_t>(events);
  share.carried = events - static_cast<double>(share.left);
  share.number = number_;
}

void Quotas::add(ThreadId t, double speed) {
  threads_[t] = {.speed = speed};
  give(t);
  at_work_.add(t);
}

void Quotas::take(ThreadId t, uint64_t events) {
  Share& share = threads_[t];
  if (!share.is_new) share.left -= std::min(events, share.left);
  share.is_new = false;
}

void Quotas::block(ThreadId t) {
  at_work_.remove(t);
  resting_.remove(t);
}

void Quotas::unblock(ThreadId t) {
  at_work_.add(t);
  if (threads_[t].number == number_) return;
  give(t);
  threads_[t].is_new = true;
}

void Quotas::rest(ThreadId t) {
  at_work_.remove(t);
  resting_.add(t);
}

ThreadSet Quotas::next() {
  double fastest = 0;
  resting_.for_each([&](ThreadId t) { fastest = std::max(fastest, threads_[t].speed); });
  times_ = std::max<uint64_t>(1, static_cast<uint64_t>(1 / fastest));
  ++number_;
  ThreadSet woken;
  resting_.for_each([&](ThreadId t) {
    give(t);
    if (threads_[t].left != 0) woken.add(t);
  });
  resting_.remove_all(woken);
  at_work_.add_all(woken);
  return woken;
}

}  // namespace snarl::conduct
