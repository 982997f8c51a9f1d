#include "glassrank/base/subprocess.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "testing/message_of.h"

namespace glassrank {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

CommandResult run(const std::string& command, std::string_view input = {},
                  const CommandLimits& limits = {.seconds = 60}) {
  return run_command(command, input, limits, {});
}

TEST(RunCommand, GivesWhatTheCommandWrites) {
  const CommandResult result = run("tr a-z A-Z; echo said >&2", "one\ntwo\n");
  EXPECT_EQ(result.end, CommandEnd::kExit);
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.output, "ONE\nTWO\n");
  EXPECT_EQ(result.last_error_line(), "said");
}

TEST(RunCommand, SaysHowTheCommandEnded) {
  const CommandResult failed = run("echo first >&2; printf 'last  \\n\\n' >&2; exit 3");
  EXPECT_EQ(failed.end, CommandEnd::kExit);
  EXPECT_EQ(failed.code, 3);
  EXPECT_EQ(failed.last_error_line(), "last");
  const CommandResult killed = run("kill -TERM $$");
  EXPECT_EQ(killed.end, CommandEnd::kSignal);
  EXPECT_EQ(killed.code, SIGTERM);
  EXPECT_EQ(run("/no/such/program").code, 127);
}

// More than both pipes hold: with one end at a time, both sides would wait for ever.
TEST(RunCommand, WritesAndReadsAtTheSameTime) {
  std::string input;
  for (int i = 0; i < 300'000; ++i) input += "0123456789\n";
  const CommandResult result = run("cat", input);
  EXPECT_TRUE(result.output == input);
  EXPECT_EQ(run("cat >&2; echo done", input).output, "done\n");
}

TEST(RunCommand, KeepsTheEndOfStandardErrorOnly) {
  const CommandResult result = run("seq 1 100000 >&2");
  EXPECT_EQ(result.error_tail.size(), 4096U);
  EXPECT_EQ(result.last_error_line(), "100000");
}

// Would end this program by SIGPIPE.
TEST(RunCommand, OutlivesACommandThatDoesNotRead) {
  const std::string input(1 << 20, 'x');
  EXPECT_EQ(run("echo enough", input).output, "enough\n");
  EXPECT_EQ(run("exec 0<&-; echo closed; sleep 0.1; exit 4", input).code, 4);
  sigset_t pending;
  sigpending(&pending);
  EXPECT_EQ(sigismember(&pending, SIGPIPE), 0);
}

TEST(RunCommand, KillsTheWholeGroupAtTheTimeLimit) {
  const auto start = Clock::now();
  const CommandResult result = run("echo $$; sleep 50 & sleep 50", {}, {.seconds = 0.3});
  EXPECT_EQ(result.end, CommandEnd::kTimeLimit);
  EXPECT_LT(seconds_since(start), 20);
  // The group is named after the shell; reaped by whoever adopts it, some of it may take a moment.
  const auto group = static_cast<pid_t>(std::stol(result.output));
  for (int i = 0; i < 1000 && kill(-group, 0) == 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_NE(kill(-group, 0), 0);
}

TEST(RunCommand, TimesACommandThatClosesItsOutput) {
  const CommandResult result = run("exec >&- 2>&-; sleep 50", {}, {.seconds = 0.3});
  EXPECT_EQ(result.end, CommandEnd::kTimeLimit);
}

TEST(RunCommand, StopsACommandThatWritesWithoutEnd) {
  const CommandResult result = run("yes", {}, {.seconds = 60, .output_bytes = 100'000});
  EXPECT_EQ(result.end, CommandEnd::kOutputLimit);
  EXPECT_GT(result.output.size(), 100'000U);
}

TEST(RunCommand, StopsWhenTheUserAsks) {
  const std::atomic<bool> stop = true;
  const auto start = Clock::now();
  EXPECT_EQ(message_of([&] { run_command("sleep 50", {}, {}, {.stop = &stop}); }),
            "stopped at the user's request");
  EXPECT_LT(seconds_since(start), 20);
}

}  // namespace
}  // namespace glassrank
