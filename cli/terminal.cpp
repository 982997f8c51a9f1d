#include "cli/terminal.h"

#include <chrono>
#include <cstdio>
#include <fcntl.h>
#include <mutex>
#include <string>
#include <unistd.h>

#include <fmt/format.h>

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

std::string amount_text(double amount, std::string_view unit) {
  if (unit == "bytes") return fmt::format("{:.0f} MB", amount / 1e6);
  return fmt::format("{:.0f} {}", amount, unit);
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
    const auto amount = static_cast<double>(done);
    std::string line = fmt::format("{}: {}", task_, amount_text(amount, unit_));
    if (total_ > 0 && done > 0) {
      const double share = amount / static_cast<double>(total_);
      line += fmt::format(" of {} ({:.0f}%), {:.0f} s left",
                          amount_text(static_cast<double>(total_), unit_), 100 * share,
                          seconds_since(start_) * (1 - share) / share);
    }
    if (!detail.empty()) line += fmt::format("  {}", detail);
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
