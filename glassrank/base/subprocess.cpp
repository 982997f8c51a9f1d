#include "glassrank/base/subprocess.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <optional>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include "glassrank/base/error.h"
#include "glassrank/base/trim.h"

extern char** environ;  // handed on to the command, never read

namespace glassrank {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kErrorTail = 4096;
// Between two looks at whether the user asks to stop, in milliseconds.
constexpr int kLookEvery = 100;

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    close();
    number_ = std::exchange(other.number_, -1);
    return *this;
  }
  int get() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  void close() {
    if (is_open()) ::close(std::exchange(number_, -1));
  }

 private:
  int number_ = -1;
};

struct Pipe {
  Descriptor read;
  Descriptor write;
};

// No other process that is started meanwhile inherits the ends.
Pipe make_pipe(const std::string& command) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail_errno("make a pipe for", command);
  return {.read = Descriptor(ends[0]), .write = Descriptor(ends[1])};
}

void never_wait(const Descriptor& end) {
  ::fcntl(end.get(), F_SETFL, ::fcntl(end.get(), F_GETFL) | O_NONBLOCK);
}

// While one lives, writing to a pipe that nobody reads is an error (EPIPE) instead of a signal that
// ends the program.
class PipeSignalHeld {
 public:
  PipeSignalHeld() {
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &set, &before_);
  }
  ~PipeSignalHeld() {
    if (!was_pending_) {
      sigset_t set;
      sigemptyset(&set);
      sigaddset(&set, SIGPIPE);
      const timespec now{};
      while (sigtimedwait(&set, nullptr, &now) == -1 && errno == EINTR) {
      }
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  PipeSignalHeld(const PipeSignalHeld&) = delete;
  PipeSignalHeld& operator=(const PipeSignalHeld&) = delete;

  const sigset_t& before() const { return before_; }

 private:
  sigset_t before_{};
  bool was_pending_ = false;
};

// A running `sh -c`; killed with its whole group unless it has ended.
class Shell {
 public:
  Shell(const std::string& command, const std::array<int, 3>& streams, const sigset_t& mask) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (int stream = 0; stream < 3; ++stream) {
      posix_spawn_file_actions_adddup2(&actions, streams[static_cast<std::size_t>(stream)], stream);
    }
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &mask);
    std::string text = command;
    std::array<char, 3> shell = {"sh"};
    std::array<char, 3> flag = {"-c"};
    const std::array<char*, 4> arguments = {shell.data(), flag.data(), text.data(), nullptr};
    const int error =
        posix_spawn(&pid_, "/bin/sh", &actions, &attributes, arguments.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) {
      errno = error;
      fail_errno("start", command);
    }
  }
  ~Shell() {
    if (!status_) kill();
  }
  Shell(const Shell&) = delete;
  Shell& operator=(const Shell&) = delete;

  void kill() {
    ::kill(-pid_, SIGKILL);
    wait(0);
  }
  // The wait status, once the shell has ended.
  std::optional<int> status() {
    if (!status_) wait(WNOHANG);
    return status_;
  }

 private:
  void wait(int options) {
    int status = 0;
    pid_t got = 0;
    do {
      got = ::waitpid(pid_, &status, options);
    } while (got == -1 && errno == EINTR);
    if (got == pid_) status_ = status;
  }

  pid_t pid_ = -1;
  std::optional<int> status_;
};

class Conversation {
 public:
  Conversation(const std::string& command, std::string_view input, const CommandLimits& limits,
               const Context& context)
      : rest_(input), limits_(limits), context_(context) {
    Pipe in = make_pipe(command);
    Pipe out = make_pipe(command);
    Pipe error = make_pipe(command);
    shell_.emplace(command, std::array{in.read.get(), out.write.get(), error.write.get()},
                   held_.before());
    in_ = std::move(in.write);
    out_ = std::move(out.read);
    error_ = std::move(error.read);
    for (const Descriptor* end : {&in_, &out_, &error_}) never_wait(*end);
  }

  CommandResult run() {
    while (out_.is_open() || error_.is_open()) {
      if (is_over()) return killed(CommandEnd::kTimeLimit);
      exchange();
      if (result_.output.size() > limits_.output_bytes) return killed(CommandEnd::kOutputLimit);
    }
    in_.close();
    // Whoever closes its output may go on working.
    auto pause = std::chrono::microseconds(200);
    while (!shell_->status()) {
      if (is_over()) return killed(CommandEnd::kTimeLimit);
      std::this_thread::sleep_for(pause);
      pause = std::min(pause * 2, std::chrono::microseconds(20'000));
    }
    const int status = *shell_->status();
    result_.end = WIFEXITED(status) ? CommandEnd::kExit : CommandEnd::kSignal;
    result_.code = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
    return std::move(result_);
  }

 private:
  double seconds_left() const {
    if (limits_.seconds <= 0) return std::numeric_limits<double>::infinity();
    return limits_.seconds - std::chrono::duration<double>(Clock::now() - start_).count();
  }
  // Throws when the user asks to stop; the shell's destructor ends it.
  bool is_over() const {
    context_.check_stop();
    return seconds_left() <= 0;
  }

  CommandResult killed(CommandEnd end) {
    shell_->kill();
    result_.end = end;
    return std::move(result_);
  }

  // Waits until some end is ready and moves what can be moved.
  void exchange() {
    if (rest_.empty()) in_.close();
    // poll() passes over those that are closed: -1.
    std::array<pollfd, 3> ends = {
        {{in_.get(), POLLOUT, 0}, {out_.get(), POLLIN, 0}, {error_.get(), POLLIN, 0}}};
    const double wait = std::clamp(1e3 * seconds_left() + 1, 0.0, double{kLookEvery});
    if (::poll(ends.data(), ends.size(), static_cast<int>(wait)) <= 0) return;
    if (ends[0].revents != 0) give();
    if (ends[1].revents != 0) take(out_, result_.output);
    if (ends[2].revents != 0) take(error_, result_.error_tail);
    if (result_.error_tail.size() > kErrorTail) {
      result_.error_tail.erase(0, result_.error_tail.size() - kErrorTail);
    }
  }

  void give() {
    const ssize_t size = ::write(in_.get(), rest_.data(), rest_.size());
    if (size > 0) {
      rest_.remove_prefix(static_cast<std::size_t>(size));
    } else if (errno != EAGAIN && errno != EINTR) {
      in_.close();  // nobody reads it any more
    }
  }

  static void take(Descriptor& from, std::string& into) {
    std::array<char, 65536> bytes;
    const ssize_t size = ::read(from.get(), bytes.data(), bytes.size());
    if (size > 0) {
      into.append(bytes.data(), static_cast<std::size_t>(size));
    } else if (size == 0 || (errno != EAGAIN && errno != EINTR)) {
      from.close();
    }
  }

  std::string_view rest_;  // of the input
  const CommandLimits limits_;
  const Context& context_;
  const Clock::time_point start_ = Clock::now();
  PipeSignalHeld held_;
  std::optional<Shell> shell_;
  Descriptor in_;
  Descriptor out_;
  Descriptor error_;
  CommandResult result_;
};

}  // namespace

std::string CommandResult::last_error_line() const {
  const std::string_view text = trim_blanks(error_tail);
  return std::string(trim_blanks(text.substr(text.rfind('\n') + 1)));
}

CommandResult run_command(const std::string& command, std::string_view input,
                          const CommandLimits& limits, const Context& context) {
  return Conversation(command, input, limits, context).run();
}

}  // namespace glassrank
