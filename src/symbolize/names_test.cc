#include "symbolize/names.h"

#include <gtest/gtest.h>

namespace snarl::symbolize {
namespace {

struct Case {
  const char* full;
  const char* brief;
};

TEST(ShortFunctionName, KeepsWhatAPersonWouldSay) {
  const Case cases[] = {
      {"main", "main"},
      {"transfer(Account&, Account&, int)", "transfer"},
      {"bank::Account::withdraw(int) const", "bank::Account::withdraw"},
      {"void apply<int, std::vector<int> >(std::vector<int>&&)", "apply"},
      {"std::vector<int, std::allocator<int> >::push_back(int const&)", "std::vector::push_back"},
      {"main::{lambda()#1}::operator()() const", "main::{lambda}"},
      {"main()::{lambda()}::operator()", "main::{lambda}"},
      {"main::$_0::operator()() const", "main::{lambda}"},
      {"auto run<int>(int)::{lambda(auto:1)#2}::operator()<int>(int) const", "run::{lambda}"},
      {"main::{lambda()#1}::_FUN()", "main::{lambda}"},
      {"(anonymous namespace)::bump(int)", "bump"},
      {"app::(anonymous namespace)::Pool::get()", "app::Pool::get"},
      {"Queue<int>::Queue(int)", "Queue::Queue"},
      {"Queue<int>::~Queue()", "Queue::~Queue"},
      {"operator<(A const&, A const&)", "operator<"},
      {"bool operator< <int>(A<int> const&, A<int> const&)", "operator<"},
      {"std::ostream& std::operator<< <std::char_traits<char> >(std::ostream&, char const*)", "std::operator<<"},
      {"A::operator()(int)", "A::operator()"},
      {"A::operator->() const", "A::operator->"},
      {"A::operator[](unsigned long)", "A::operator[]"},
      {"A::operator bool() const", "A::operator bool"},
      {"A::operator==(A const&) const", "A::operator=="},
      {"A::operator<=>(A const&) const", "A::operator<=>"},
      {"operator new(unsigned long)", "operator new"},
      {"operator delete[](void*)", "operator delete[]"},
      {"decltype(auto) pick<int>(int)", "pick"},
      {"decltype ((compare<char>)(0)) std::operator<=><char>(A<char> const&)", "std::operator<=>"},
      {"text[abi:cxx11](int)", "text"},
      {"work(int) [clone .constprop.0]", "work"},
      {"cooperator(int)", "cooperator"},
      {"transfer(int)+0x1f", "transfer+0x1f"},
      {"libfoo.so+0x1f", "libfoo.so+0x1f"},
      {"outer(int)::Local::run()", "outer::Local::run"},
      {"std::thread::_Invoker<std::tuple<main::{lambda()#1}> >::operator()()", "std::thread::_Invoker::operator()"},
      {"", ""},
      {"<", "<"},
      {"((((", "(((("},
  };
  for (const Case& c : cases) EXPECT_EQ(short_function_name(c.full), c.brief) << c.full;
}

TEST(Demangle, LeavesOtherNamesAlone) {
  EXPECT_EQ(demangle("_ZN4bank8transferEi"), "bank::transfer(int)");
  EXPECT_EQ(demangle("_Zbroken"), "_Zbroken");
  EXPECT_EQ(demangle("main"), "main");
  EXPECT_EQ(demangle(""), "");
}

TEST(WithoutAnonymous, RemovesEach) {
  EXPECT_EQ(without_anonymous("(anonymous namespace)::a::(anonymous namespace)::b"), "a::b");
}

TEST(IsSystemFunction, KnowsTheImplementationsNames) {
  EXPECT_TRUE(is_system_function("std::thread::_State_impl::_M_run"));
  EXPECT_TRUE(is_system_function("__libc_start_main"));
  EXPECT_FALSE(is_system_function("stdlib_user"));
}

}  // namespace
}  // namespace snarl::symbolize
