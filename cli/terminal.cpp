#include "cli/terminal.h"

#include <chrono>
#include <cstdio>
#include <fcntl.h>
#include <mutex>
#include <string>
#include <sys/ioctl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "cli/progress_line.h"

namespace glassrank::cli {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Both sinks write to standard error: a notice first clears a progress line that is showing.
constexpr const char* kClearLine = "\r\033[K";

class TerminalLog final : public LogSink {
 public:
  explicit TerminalLog(bool only_warnings) : only_warnings_(only_warnings) {}

  void log(LogLevel level, std::string_view message) override {
    if (only_warnings_ && level != LogLevel::kWarning) return;
    const std::scoped_lock lock(mutex_);
    print_message(fmt::format("{}{}{}\n", is_terminal_ ? kClearLine : "",
                              level == LogLevel::kWarning ? "warning: " : "", message));
  }

 private:
  const bool only_warnings_;
  const bool is_terminal_ = ::isatty(STDERR_FILENO) != 0;
  std::mutex mutex_;
};

// Characters of a line that do not wrap; asked each time, for windows are made narrower.
std::size_t terminal_width() {
  winsize size{};
  const bool is_known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return (is_known ? size.ws_col : 80) - 1;
}

class TerminalProgress final : public ProgressSink {
 public:
  void start(std::string_view task, std::string_view unit, std::uint64_t total) override {
    task_ = task;
    unit_ = unit;
    total_ = total;
    start_ = last_ = Clock::now();
  }

  void update(std::uint64_t done, std::string_view detail) override {
    if (seconds_since(last_) < (is_terminal_ ? 0.1 : 10.0)) return;
    last_ = Clock::now();
    const std::string line = progress_line({.task = task_,
                                            .unit = unit_,
                                            .done = done,
                                            .total = total_,
                                            .seconds = seconds_since(start_),
                                            .detail = detail},
                                           is_terminal_ ? terminal_width() : 0);
    print_message(
        fmt::format("{}{}{}", is_terminal_ ? kClearLine : "", line, is_terminal_ ? "" : "\n"));
    showing_ = is_terminal_;
  }

  void finish() override {
    if (showing_) print_message(kClearLine);
    showing_ = false;
  }

 private:
  const bool is_terminal_ = ::isatty(STDERR_FILENO) != 0;
  std::string task_;
  std::string unit_;
  std::uint64_t total_ = 0;
  Clock::time_point start_;
  Clock::time_point last_;
  bool showing_ = false;
};

}  // namespace

void print_message(std::string_view text) noexcept {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void hold_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) != -1) continue;
    // The lowest free number is the one that is missing.
    ::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

bool messages_reach_a_terminal() { return ::isatty(STDERR_FILENO) != 0; }

std::shared_ptr<LogSink> make_terminal_log(bool only_warnings) {
  return std::make_shared<TerminalLog>(only_warnings);
}

std::shared_ptr<ProgressSink> make_terminal_progress() {
  return std::make_shared<TerminalProgress>();
}

}  // namespace glassrank::cli
