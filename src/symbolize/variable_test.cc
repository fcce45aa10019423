#include <gtest/gtest.h>

#include "symbolize/symbolizer.h"
#include "symbolize/test_program.h"

namespace snarl::symbolize {
namespace {

constexpr std::string_view kSource = R"(#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <pthread.h>
#include <string>
#include <utility>
struct Empty {};
struct Base { long id; };
struct Cell { int hits; int miss; };
struct Bank : Empty, Base {
  static int made;
  int accounts[4];
  std::mutex lock_a;
  std::mutex lock_b;
  union { int small; float real; };
  Cell cells[2][3];
};
struct Queue {
  int size;
  std::condition_variable ready;
  int taken;
} queue;
int Bank::made = 1;
Bank bank;
int g_balance = 3;
std::mutex g_lock;
pthread_mutex_t raw_lock;
std::condition_variable wake;
std::array<std::atomic<int>, 4> counters;
std::pair<int, std::mutex>* unused;
namespace app { struct Stats { long total; Cell c[2]; } stats; }
namespace { __attribute__((used)) int hidden_count = 4; }
__attribute__((noinline)) int next() {
  __attribute__((used)) static int counter[2] = {1, 2};
  return counter[hidden_count & 1]++;
}
extern "C" {
size_t offset_lock_b = offsetof(Bank, lock_b);
}
thread_local Cell last_cell;
namespace app { thread_local Cell recent[3]; }
int main() {
  last_cell.miss = app::recent[1].hits;
  std::lock_guard guard(g_lock);
  pthread_mutex_lock(&raw_lock);
  wake.notify_all();
  return next() + g_balance + bank.accounts[1] + counters[0] + int(app::stats.total) + (unused != nullptr) + queue.size + Bank::made;
}
)";

constexpr const char* kDebug = "-g";

class Variables : public testing::TestWithParam<std::string> {
 protected:
  void build(const std::string& flags) { program_ = &compiled_once(GetParam() + " " + flags, kSource); }

  std::string name(const std::string& symbol, uint64_t offset = 0) {
    const auto found = symbolizer_.variable({program_->program()}, program_->symbol(symbol) + offset);
    return found ? found->name : "(none)";
  }

  const TestProgram* program_ = nullptr;
  Symbolizer symbolizer_;
};

// Bank: id 0, accounts 8, lock_a 24, lock_b 64, union 104, cells 108.
TEST_P(Variables, AreNamedDownToTheMember) {
  build(kDebug);
  EXPECT_EQ(name("g_balance"), "g_balance");
  EXPECT_EQ(name("g_balance", 2), "g_balance");
  EXPECT_EQ(name("bank"), "bank.id");
  EXPECT_EQ(name("bank", 12), "bank.accounts[1]");
  EXPECT_EQ(name("bank", 24), "bank.lock_a");
  EXPECT_EQ(name("bank", 64), "bank.lock_b");
  EXPECT_EQ(name("bank", 64 + 8), "bank.lock_b");
  EXPECT_EQ(name("bank", 104), "bank.small");
  EXPECT_EQ(name("bank", 108 + 4), "bank.cells[0][0].miss");
  EXPECT_EQ(name("bank", 108 + 4 * 8), "bank.cells[1][1].hits");
  EXPECT_EQ(name("_ZN3app5statsE", 16), "app::stats.c[1].hits");
  EXPECT_EQ(name("counters", 8), "counters[2]");
  EXPECT_EQ(name("_ZN4Bank4madeE"), "Bank::made");
}

TEST_P(Variables, LocksAreNamedWithoutTheirInsides) {
  build(kDebug);
  EXPECT_EQ(name("g_lock"), "g_lock");
  EXPECT_EQ(name("g_lock", 16), "g_lock");
  EXPECT_EQ(name("raw_lock", 4), "raw_lock");
  EXPECT_EQ(name("wake"), "wake");
  EXPECT_EQ(name("queue", 8), "queue.ready");  // clang only declares its type
  EXPECT_EQ(name("queue", 56), "queue.taken");
}

TEST_P(Variables, InternalOnesAreFound) {
  build(kDebug);
  EXPECT_EQ(name("_ZN12_GLOBAL__N_112hidden_countE"), "hidden_count");
  EXPECT_EQ(name("_ZZ4nextvE7counter", 4), "next()::counter[1]");
}

TEST_P(Variables, SayWhereTheyAreDeclared) {
  build(kDebug);
  const auto found = symbolizer_.variable({program_->program()}, program_->symbol("g_lock"));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->file, program_->source());
  EXPECT_EQ(found->line, program_->line_of("std::mutex g_lock"));
}

TEST_P(Variables, FallBackToSymbolsWithoutDebugInfo) {
  build("-g0");
  EXPECT_EQ(name("g_balance"), "g_balance");
  EXPECT_EQ(name("bank", 64), "bank+0x40");
  EXPECT_EQ(name("_ZN3app5statsE", 16), "app::stats+0x10");
  EXPECT_EQ(name("_ZN12_GLOBAL__N_112hidden_countE"), "hidden_count");
  EXPECT_EQ(name("_ZZ4nextvE7counter", 4), "next()::counter+0x4");
}

TEST_P(Variables, AreNotInventedElsewhere) {
  build(kDebug);
  EXPECT_EQ(symbolizer_.variable({program_->program()}, 0), std::nullopt);
  EXPECT_EQ(symbolizer_.variable({program_->program()}, UINT64_MAX), std::nullopt);
  EXPECT_EQ(symbolizer_.variable({program_->program()}, program_->symbol("main")), std::nullopt);
  EXPECT_EQ(symbolizer_.variable({"/nowhere/prog"}, 4096), std::nullopt);
  EXPECT_EQ(symbolizer_.variable({program_->program(), "00ff"}, program_->symbol("g_lock")), std::nullopt);
}

std::vector<std::string> variants() {
  std::vector<std::string> all;
  for (const std::string& compiler : test_compilers()) {
    for (const char* flags : {"-O0", "-O2", "-O2 -no-pie -fno-pie"}) {
      all.push_back(compiler + " " + flags);
    }
  }
  return all;
}

// Their symbols have offsets for values.
TEST_P(Variables, ThreadLocalOnesAreFound) {
  const auto name = [&](const std::string& symbol, uint64_t offset) {
    const auto found = symbolizer_.thread_variable({program_->program()}, program_->symbol(symbol) + offset);
    return found ? found->name : "(none)";
  };
  build(kDebug);
  EXPECT_EQ(name("last_cell", 0), "last_cell.hits");
  EXPECT_EQ(name("last_cell", 4), "last_cell.miss");
  EXPECT_EQ(name("_ZN3app6recentE", 12), "app::recent[1].miss");
  EXPECT_EQ(name("_ZN3app6recentE", 4096), "(none)");
  build("-g0");
  EXPECT_EQ(name("_ZN3app6recentE", 8), "app::recent+0x8");
}

INSTANTIATE_TEST_SUITE_P(Symbolizer, Variables, testing::ValuesIn(variants()));

}  // namespace

bool operator==(const Variable& a, const Variable& b) { return a.name == b.name && a.line == b.line; }

}  // namespace snarl::symbolize
