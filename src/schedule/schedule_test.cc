#include "schedule/schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "schedule/schedule_text.h"

namespace snarl {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Schedule bank() {
  Schedule s;
  s.program = "/home/ann/my bank";
  s.build_id = "5c41aa";
  s.argv = {"./my bank", "", "-", "a\\b\n", "\xff\x01#"};
  s.policy = "pct:depth=2";
  s.key.seed = 0x5eed;
  s.key.index = 9120;
  s.key.profile = {.threads = 3, .epoch = 1, .steps = 41};
  s.settings.points = kSyncPoints;
  s.settings.time = TimeMode::kReal;
  s.cpus = 2;
  s.failure = "deadlock";
  s.signature = "deadlock lock bank+0x1209";
  s.modules = {{"/home/ann/my bank", "5c41aa"}, {"/lib/libc.so.6", ""}};
  s.switches = {{4, 0, 1, Reason::kBlocked, OpKind::kJoin, 0, 0x11c9, 4, "main bank.cc:41"},
                {5, 1, 2, Reason::kPreempted, OpKind::kLock, 1, 0x1209, 1, ""},
                {7, 2, 1, Reason::kEnded, OpKind::kExit, kNoModule, 0, 2, ""}};
  return s;
}

std::string parse_error(const std::string& text) {
  const auto parsed = parse_schedule(text, "a.snarl");
  return parsed ? "" : parsed.error().message;
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  return text.replace(text.find(what), what.size(), with);
}

// Puts a right last line behind a text whose own one is wrong, so that only its content counts.
std::string sealed(const std::string& text, size_t switches) {
  const std::string body = text.substr(0, text.rfind("end "));
  return body + end_line(switches, body);
}

TEST(ScheduleText, IsReadableAndStable) {
  EXPECT_EQ(write_schedule(bank()),
            "snarl-schedule 1\nrules 2\nprogram /home/ann/my\\x20bank\nbuild-id 5c41aa\n"
            "argv ./my\\x20bank \\e \\x2d a\\\\b\\x0a \\xff\\x01#\npolicy pct:depth=2\nseed 0x5eed\nindex 9120\n"
            "epoch 1\nthreads 3\nsteps 41\npoints sync\ntime real\ncpus 2\naslr on\nfailure deadlock\n"
            "signature deadlock\\x20lock\\x20bank+0x1209\ndecisions all\nmodule m0 5c41aa /home/ann/my\\x20bank\n"
            "module m1 - /lib/libc.so.6\nswitch 4 T0 T1 blocked join m0+0x11c9 4  # main bank.cc:41\n"
            "switch 5 T1 T2 preempted lock m1+0x1209 1\nswitch 7 T2 T1 ended exit - 2\nend 3 4cb9b6c27dcf6ccf\n");
}

// Shared places go by way of the module's name, so that they mean the same in every process.
TEST(ScheduleText, SharedPlacesComeBack) {
  Schedule s = bank();
  const std::vector<SharedPlace> places{{hash_file_name("/home/ann/my bank"), 0x11d0},
                                        {hash_file_name("libc.so.6"), 0x9},
                                        {hash_file_name("gone.so"), 0x1}};
  set_places(s, places);
  EXPECT_THAT(s.places, ElementsAre(SchedulePlace{0, 0x11d0}, SchedulePlace{1, 0x9}));
  const std::string text = write_schedule(s);
  EXPECT_THAT(text, HasSubstr("libc.so.6\nshared m0+0x11d0\nshared m1+0x9\nswitch"));
  const auto parsed = parse_schedule(text, "a.snarl");
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(write_schedule(*parsed), text);
  EXPECT_THAT(places_of(*parsed), ElementsAre(places[0], places[1]));
  EXPECT_THAT(parse_error(sealed(replaced(text, "shared m1", "shared m7"), 3)), HasSubstr("there is no module m7"));
  EXPECT_THAT(parse_error(sealed(replaced(text, "shared m1+0x9", "shared"), 3)), HasSubstr("expected a place"));
}

TEST(ScheduleText, SpinLoadsComeBack) {
  Schedule s = bank();
  const std::vector<SharedPlace> loads{{hash_file_name("libc.so.6"), 0x9}};
  set_spin_loads(s, loads);
  const std::string text = write_schedule(s);
  EXPECT_THAT(text, HasSubstr("libc.so.6\nspin m1+0x9\nswitch"));
  const auto parsed = parse_schedule(text, "a.snarl");
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(write_schedule(*parsed), text);
  EXPECT_EQ(spin_loads_of(*parsed), loads);
  EXPECT_TRUE(places_of(*parsed).empty());
}

TEST(ScheduleText, ManyThreadsAtOnceComeBack) {
  Schedule s = bank();
  s.key.profile.at_once = 300;
  const std::string text = write_schedule(s);
  EXPECT_THAT(text, HasSubstr("threads 3\nat-once 300\nsteps 41\n"));
  const Expected<Schedule> again = parse_schedule(text, "f");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->key.profile.at_once, 300u);
  EXPECT_EQ(parse_schedule(write_schedule(bank()), "f")->key.profile.at_once, 0u);
}

TEST(ScheduleText, StacksThatThreadsAskForComeBack) {
  Schedule s = bank();
  s.key.profile.own_stacks[0] = {.size = 65536, .guard_size = 4096, .at_once = 40, .threads = 50};
  s.key.profile.own_stacks[1] = {.size = 16384, .threads = 1};
  const std::string text = write_schedule(s);
  EXPECT_THAT(text, HasSubstr("threads 3\nown-stacks 65536 4096 50 40\nown-stacks 16384 0 1 0\nsteps 41\n"));
  const Expected<Schedule> again = parse_schedule(text, "f");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE(need_same_stacks(again->key.profile, s.key.profile));
  EXPECT_FALSE(need_same_stacks(again->key.profile, bank().key.profile));
  EXPECT_THAT(parse_error(sealed(replaced(text, "own-stacks 16384 0", "own-stacks 16384 few"), 3)),
              HasSubstr("expected the size of a guard, found 'few'"));
}

TEST(ScheduleText, ExpectationsComeBack) {
  std::string longer(200 << 10, 'x');
  longer.append("\n-\n");
  for (const Expectations& expected :
       {Expectations{.exit_code = 6}, Expectations{.output = ""}, Expectations{.output = "a b\n\nc"},
        Expectations{.output = longer}, Expectations{.forbidden = {"^lost (a|b)", "-"}}}) {
    Schedule s = bank();
    s.expectations = std::make_shared<const Expectations>(expected);
    const std::string text = write_schedule(s);
    const auto parsed = parse_schedule(text, "a.snarl");
    ASSERT_TRUE(parsed) << parsed.error().message;
    ASSERT_NE(parsed->expectations, nullptr);
    EXPECT_EQ(*parsed->expectations, expected);
    EXPECT_EQ(write_schedule(*parsed), text);
  }
  Schedule s = bank();
  s.expectations = std::make_shared<const Expectations>(Expectations{.exit_code = 6, .output = "a b\nc\n"});
  EXPECT_THAT(write_schedule(s),
              HasSubstr("aslr on\nexpect-exit 6\nexpect-output a\\x20b\\x0a\nexpect-output c\\x0a\nfailure"));
  EXPECT_THAT(parse_error(sealed(replaced(write_schedule(s), "expect-exit 6", "expect-exit 256"), 3)),
              HasSubstr("from 0 to 255"));
}

TEST(ScheduleText, HowAProgramWasStartedComesBack) {
  Schedule s = bank();
  s.start = {{"LIMIT=7 of 8", "LANG"}, {{3, 0x8000, 12, "/home/ann/my data"}}};
  const std::string text = write_schedule(s);
  EXPECT_THAT(text, HasSubstr("\nenvironment LIMIT=7\\x20of\\x208\nenvironment LANG\n"
                              "file 3 0x8000 12 /home/ann/my\\x20data\npolicy"));
  const auto parsed = parse_schedule(text, "a.snarl");
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(parsed->start, s.start);
  EXPECT_EQ(write_schedule(*parsed), text);
  EXPECT_THAT(parse_error(sealed(replaced(text, "file 3", "file 1"), 3)), HasSubstr("first descriptor"));
}

TEST(ScheduleText, NamedFunctionsComeBack) {
  Schedule s = bank();
  s.functions = {{FunctionUse::kPoint, "queue::push", 0, false}, {FunctionUse::kTryLock, "try it(int)", 1, true}};
  const std::string text = write_schedule(s);
  const Expected<Schedule> again = parse_schedule(text, "f");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->functions, s.functions);
  EXPECT_EQ(write_schedule(*again), text);
}

TEST(ScheduleText, UnpatchedFilesComeBack) {
  Schedule s = bank();
  s.unpatched = {"bank", "lib with blank.so"};
  const std::string text = write_schedule(s);
  const Expected<Schedule> again = parse_schedule(text, "f");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->unpatched, s.unpatched);
  EXPECT_EQ(write_schedule(*again), text);
}

TEST(ScheduleText, RoundTripIsExact) {
  const std::string text = write_schedule(bank());
  const auto parsed = parse_schedule(text, "a.snarl");
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(parsed->argv, bank().argv);
  EXPECT_EQ(parsed->signature, bank().signature);
  EXPECT_EQ(parsed->switches[0].comment, "main bank.cc:41");
  EXPECT_EQ(parsed->switches[2].module, kNoModule);
  EXPECT_EQ(write_schedule(*parsed), text);
}

TEST(ScheduleText, AnEmptyScheduleIsFine) {
  const auto parsed = parse_schedule(write_schedule(Schedule()), "a.snarl");
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_THAT(parsed->switches, IsEmpty());
  EXPECT_THAT(parsed->argv, IsEmpty());
}

TEST(ScheduleText, NumbersReachTheirLimits) {
  Schedule s = bank();
  s.key.seed = s.key.index = s.key.profile.steps = s.switches.back().step = s.switches.back().nth = UINT64_MAX;
  s.switches.back().to = UINT32_MAX;
  const auto parsed = parse_schedule(write_schedule(s), "a.snarl");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(write_schedule(*parsed), write_schedule(s));
}

TEST(ScheduleText, TimersAreSmallLetters) {
  Schedule s = bank();
  s.switches[1].to = s.switches[2].from = 2 | kTimerBit;
  const std::string text = write_schedule(s);
  EXPECT_THAT(text, HasSubstr("\nswitch 5 T1 t2 preempted lock"));
  EXPECT_THAT(text, HasSubstr("\nswitch 7 t2 T1 ended exit"));
  const auto parsed = parse_schedule(text, "a.snarl");
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(parsed->switches[1].to, 2 | kTimerBit);
  EXPECT_EQ(write_schedule(*parsed), text);
  EXPECT_EQ(decisions_for(*parsed, {})[2].from, 2 | kTimerBit);
}

TEST(ScheduleText, AlarmsAreNamedLikeTimers) {
  Schedule s = bank();
  s.switches[1].to = s.switches[2].from = 3 | kTimerBit | kAlarmBit;
  const std::string text = write_schedule(s);
  EXPECT_THAT(text, HasSubstr("\nswitch 5 T1 a3 preempted lock"));
  const auto parsed = parse_schedule(text, "a.snarl");
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(parsed->switches[2].from, 3 | kTimerBit | kAlarmBit);
  EXPECT_EQ(write_schedule(*parsed), text);
}

TEST(ScheduleText, RandomnessOfTheSystemIsRecorded) {
  Schedule s = bank();
  EXPECT_THAT(write_schedule(s), testing::Not(HasSubstr("random")));
  s.settings.random = Randomness::kReal;
  const std::string text = write_schedule(s);
  EXPECT_THAT(text, HasSubstr("\nrandom real\ncpus 2\n"));
  const auto parsed = parse_schedule(text, "a.snarl");
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(parsed->settings.random, Randomness::kReal);
}

TEST(ScheduleText, TheClockIsRecorded) {
  Schedule s = bank();
  s.settings.time = TimeMode::kVirtual;
  s.settings.clock_base = 1'767'225'600'000'000'001;
  const std::string text = write_schedule(s);
  EXPECT_THAT(text, HasSubstr("\ntime virtual\nclock 1767225600000000001\ncpus 2\n"));
  const auto parsed = parse_schedule(text, "a.snarl");
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(parsed->settings.clock_base, s.settings.clock_base);
  EXPECT_EQ(write_schedule(*parsed), text);
}

TEST(ScheduleText, CommentsStayOnTheirLine) {
  Schedule s = bank();
  s.switches[1].comment = "evil\nend 0 0 \x1b[2J\x9b ";
  const auto parsed = parse_schedule(write_schedule(s), "a.snarl");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->switches[1].comment, "evil?end 0 0 ?[2J?");
}

TEST(ScheduleErrors, SayWhereAndWhatWasExpected) {
  const std::string text = write_schedule(bank());
  EXPECT_EQ(parse_error(""), "a.snarl:1: the file ends here: it was cut off");
  EXPECT_EQ(parse_error("hello\n"), "a.snarl:1: not a schedule file: its first line is not 'snarl-schedule 1'");
  EXPECT_EQ(parse_error(replaced(text, "polic", "plic")),
            "a.snarl:6: expected 'policy', found 'plicy' (did you mean 'policy'?)");
  EXPECT_EQ(parse_error(replaced(text, "0x5eed", "5eed")),
            "a.snarl:7: expected a number such as 0x5eed after 'seed', found '5eed'");
  EXPECT_EQ(parse_error(replaced(text, "index 9120", "index")),
            "a.snarl:8: expected a number after 'index', found nothing");
  EXPECT_EQ(parse_error(replaced(text, "preempted", "prempted")),
            "a.snarl:22: expected a reason, found 'prempted' (did you mean 'preempted'?)");
  EXPECT_EQ(parse_error(replaced(text, "blocked join", "blocked jion")),
            "a.snarl:21: expected an operation, found 'jion' (did you mean 'join'?)");
  EXPECT_EQ(parse_error(replaced(text, "T1 T2", "T1 main")), "a.snarl:22: expected a thread such as T1, found 'main'");
  EXPECT_EQ(parse_error(replaced(text, "m1+0x1209", "m7+0x1209")), "a.snarl:22: there is no module m7");
  EXPECT_EQ(parse_error(replaced(text, "switch 7", "switch 3")), "a.snarl:23: steps never go back");
  EXPECT_EQ(parse_error(replaced(text, "switch 5", "swich 5")),
            "a.snarl:22: expected 'switch' or 'end', found 'swich' (did you mean 'switch'?)");
  EXPECT_EQ(parse_error(replaced(text, "aslr on", "aslr on off")),
            "a.snarl:15: expected the end of the line, found 'off'");
  EXPECT_EQ(parse_error(replaced(text, "failure deadlock", "failure dead")),
            "a.snarl:16: expected the name of an outcome or misuse, found 'dead'");
  EXPECT_EQ(parse_error(replaced(text, "time real", "time vitual")),
            "a.snarl:13: expected virtual, free or real after 'time', found 'vitual' (did you mean 'virtual'?)");
  EXPECT_EQ(parse_error(replaced(text, "points sync", "points snyc")),
            "a.snarl:12: expected levels of points after 'points', found 'snyc'");
  EXPECT_EQ(parse_error(replaced(text, "time real\n", "time real\nclock 0\n")),
            "a.snarl:14: expected a time after 'clock', found '0'");
  EXPECT_EQ(parse_error(replaced(text, "T1 T2", "T1 T2147483648")),
            "a.snarl:22: expected a thread such as T1, found 'T2147483648'");
  EXPECT_EQ(parse_error(replaced(text, "T1 T2", "T1 t2147483648")),
            "a.snarl:22: expected a timer such as t1, found 't2147483648'");
  EXPECT_EQ(parse_error(text + "x"), "a.snarl:25: expected nothing behind the line 'end'");
}

TEST(ScheduleErrors, NewerVersionsAreRefused) {
  const std::string text = write_schedule(bank());
  EXPECT_EQ(parse_error(replaced(text, "snarl-schedule 1", "snarl-schedule 2")),
            "a.snarl:1: 'snarl-schedule' is version 2, but this snarl reads version 1");
  EXPECT_THAT(parse_error(replaced(text, "rules 2", "rules 9")), HasSubstr("'rules' is version 9"));
}

// Its step numbers mean something else: a replay would go astray.
TEST(ScheduleErrors, TheRulesBeforeAreRefused) {
  EXPECT_EQ(parse_error(replaced(write_schedule(bank()), "rules 2", "rules 1")),
            "a.snarl:2: 'rules' is version 1, but this snarl reads version 2");
}

TEST(ScheduleErrors, AnEditIsSeenAndTheHintSaysHowToKeepIt) {
  const std::string edited = replaced(write_schedule(bank()), "switch 5", "switch 6");
  const auto parsed = parse_schedule(edited, "a.snarl");
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().exit_code, 2);
  const std::string prefix = "if you edited it on purpose, make this its last line: ";
  ASSERT_THAT(parsed.error().hint, HasSubstr(prefix));
  const std::string line = parsed.error().hint.substr(prefix.size());
  EXPECT_TRUE(parse_schedule(edited.substr(0, edited.rfind("end ")) + line + "\n", "a.snarl"));
}

TEST(ScheduleErrors, EveryTruncationIsSeen) {
  const std::string text = write_schedule(bank());
  for (size_t size = 0; size < text.size(); ++size) EXPECT_NE(parse_error(text.substr(0, size)), "") << size;
}

TEST(ScheduleErrors, LimitsAreChecked) {
  Schedule s = bank();
  s.modules.resize(513, {"/lib/x.so", ""});
  EXPECT_EQ(parse_error(write_schedule(s)), "a.snarl:531: more than 512 modules");
  s = bank();
  s.argv.resize(70'000);
  EXPECT_EQ(parse_error(write_schedule(s)), "a.snarl:5: too many words");
  s = bank();
  s.program.resize(5 << 20, 'x');
  EXPECT_EQ(parse_error(write_schedule(s)), "a.snarl:3: line too long");
}

// Whatever a text becomes, it is refused with a sentence or read back as what it says.
TEST(ScheduleErrors, MutationsNeverCrash) {
  const std::string good = write_schedule(bank());
  const std::string_view bits[] = {"\n",   " ",      "\\", "-", "0x", "T", "m0+", "18446744073709551616",
                                   "\xff", "end 3 ", "#"};
  Rng rng(1);
  size_t accepted = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string text = good;
    for (uint64_t i = rng.below(4) + 1; i > 0; --i) {
      const size_t at = rng.below(text.size());
      const std::string_view bit = bits[rng.below(std::size(bits))];
      switch (rng.below(4)) {
        case 0: text[at] = static_cast<char>(rng.next()); break;
        case 1: text.erase(at, rng.below(20)); break;
        case 2: text.insert(at, bit); break;
        default: {
          const size_t from = rng.below(text.size()), size = rng.below(60);
          text.insert(at, text.substr(from, size));
        }
      }
      if (text.empty()) text = "\n";
    }
    if (rng.below(2) == 0 && text.rfind("end ") != std::string::npos) text = sealed(text, 3);
    const auto parsed = parse_schedule(text, "a.snarl");
    if (!parsed) {
      EXPECT_THAT(parsed.error().message, HasSubstr("a.snarl:"));
    } else {
      ++accepted;
      const auto again = parse_schedule(write_schedule(*parsed), "a.snarl");
      ASSERT_TRUE(again) << again.error().message << text;
      EXPECT_EQ(write_schedule(*again), write_schedule(*parsed));
    }
  }
  EXPECT_GT(accepted, 100u);
}

std::vector<LoadedModule> loaded(uint64_t bias) {
  return {{bias, bias + 0x5000, bias, "/bin/bank", "aa"},
          {bias + 0x10000, bias + 0x20000, bias + 0x10000, "/lib/x.so", ""}};
}

TEST(SchedulePlaces, MoveFromProcessToProcess) {
  Decision at_bank, at_x, nowhere;
  at_bank.pc = 0x555000 + 0x1209;
  at_x.pc = 0x555000 + 0x10000 + 0x42;
  nowhere.pc = 0x1;
  Schedule s;
  set_switches(s, std::vector{at_bank, at_x, nowhere, Decision()}, loaded(0x555000));
  EXPECT_EQ(s.switches[0].module, 0u);
  EXPECT_EQ(s.switches[0].offset, 0x1209u);
  const auto moved = decisions_for(s, loaded(0x7770000));
  EXPECT_EQ(moved[0].pc, 0x7770000u + 0x1209);
  EXPECT_EQ(moved[1].pc, 0x7770000u + 0x10000 + 0x42);
  EXPECT_EQ(moved[2].pc, 0u);
  EXPECT_EQ(moved[3].pc, 0u);
}

TEST(SchedulePlaces, AnotherBuildIsNamedAndGetsNoAddress) {
  Schedule s;
  Decision at_bank;
  at_bank.pc = 0x555000 + 0x1209;
  set_switches(s, std::vector{at_bank}, loaded(0x555000));
  EXPECT_THAT(build_differences(s, loaded(0x1000)), IsEmpty());
  auto other = loaded(0x1000);
  other[0].build_id = "bb";
  other.pop_back();
  EXPECT_THAT(build_differences(s, other),
              ElementsAre("/bin/bank is another build than the recorded one", "/lib/x.so is not loaded"));
  EXPECT_EQ(decisions_for(s, other)[0].pc, 0u);
}

TEST(SchedulePlaces, BuildIdIsHex) {
  EXPECT_EQ(build_id_text(std::vector<uint8_t>{0x00, 0x5c, 0xff}), "005cff");
  EXPECT_EQ(build_id_text({}), "");
}

}  // namespace
}  // namespace snarl
