#include "cli/signals.h"

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <new>
#include <string_view>
#include <unistd.h>

namespace glassrank::cli {
namespace {

std::atomic<bool> stop_requested = false;
static_assert(std::atomic<bool>::is_always_lock_free);

void on_interrupt(int) { stop_requested.store(true); }

// Everything below is called from handlers: system calls and memory on the stack, nothing else.

void say(std::string_view text) {
  static_cast<void>(::write(STDERR_FILENO, text.data(), text.size()) == 0);
}

// A text of bounded length; what does not fit is left out.
class ShortText {
 public:
  ShortText& add(std::string_view text) {
    const std::size_t count = text.size() < kRoom - size_ ? text.size() : kRoom - size_;
    std::memcpy(text_ + size_, text.data(), count);
    size_ += count;
    text_[size_] = '\0';
    return *this;
  }
  ShortText& add(long number) {
    char digits[24];
    const auto end = std::to_chars(digits, digits + sizeof(digits), number);
    return add({digits, static_cast<std::size_t>(end.ptr - digits)});
  }
  void clear() { size_ = 0; }
  const char* c_str() const { return text_; }
  std::string_view view() const { return {text_, size_}; }

 private:
  static constexpr std::size_t kRoom = 4200;  // a path and some words
  char text_[kRoom + 1] = {};
  std::size_t size_ = 0;
};

// Files of ours that are open under the temporary names of AtomicFile (base/atomic_file.h).
void remove_temporary_files() {
  constexpr int kMostDescriptors = 1024;
  ShortText ending;
  ending.add(".").add(static_cast<long>(::getpid())).add(".tmp");
  for (int descriptor = 0; descriptor < kMostDescriptors; ++descriptor) {
    ShortText link;
    link.add("/proc/self/fd/").add(static_cast<long>(descriptor));
    char path[4097];
    const ssize_t size = ::readlink(link.c_str(), path, sizeof(path) - 1);
    if (size <= 0) continue;
    path[size] = '\0';
    if (std::string_view(path, static_cast<std::size_t>(size)).ends_with(ending.view())) {
      ::unlink(path);
    }
  }
}

[[noreturn]] void end_with(std::string_view message) {
  say(message);
  remove_temporary_files();
  ::_exit(1);
}

// "7f00-7f10 r--p 00000000 08:01 42    /data/train.txt" -> the path, if the address is within.
std::string_view path_in(std::string_view line, std::uintptr_t address) {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  const char* const last = line.data() + line.size();
  auto parsed = std::from_chars(line.data(), last, begin, 16);
  if (parsed.ec != std::errc() || parsed.ptr == last) return {};
  parsed = std::from_chars(parsed.ptr + 1, last, end, 16);
  if (parsed.ec != std::errc() || address < begin || address >= end) return {};
  const std::size_t slash = line.find('/');
  return slash == std::string_view::npos ? std::string_view() : line.substr(slash);
}

// The file that is mapped at an address, into `path`; empty: none is.
void find_mapped_file(std::uintptr_t address, ShortText& path) {
  const int maps = ::open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (maps < 0) return;
  char buffer[8192];  // more than the longest line
  std::size_t filled = 0;
  while (path.view().empty()) {
    const ssize_t count = ::read(maps, buffer + filled, sizeof(buffer) - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    filled += static_cast<std::size_t>(count);
    std::string_view text(buffer, filled);
    for (std::size_t end = 0; (end = text.find('\n')) != std::string_view::npos;) {
      if (path.view().empty()) path.add(path_in(text.substr(0, end), address));
      text.remove_prefix(end + 1);
    }
    filled = text.size();
    std::memmove(buffer, text.data(), filled);
  }
  ::close(maps);
}

void on_bus_error(int, siginfo_t* info, void*) {
  ShortText path;
  find_mapped_file(reinterpret_cast<std::uintptr_t>(info->si_addr), path);
  ShortText message;
  if (path.view().empty()) {
    message.add("glassrank: memory cannot be read (bus error)\n");
  } else {
    message.add("glassrank: cannot read '").add(path.view());
    message.add("': it became shorter, or its disk failed, while it was read\n");
  }
  end_with(message.view());
}

[[noreturn]] void on_terminate() {
  ShortText message;
  message.add("glassrank: ");
  try {
    if (const std::exception_ptr error = std::current_exception()) std::rethrow_exception(error);
    message.add("ended by the C++ library; memory or threads may have run out");
  } catch (const std::bad_alloc&) {
    message.add("out of memory");
  } catch (const std::exception& error) {
    message.add(error.what());
  } catch (...) {
    message.add("internal error: an unknown exception");
  }
  end_with(message.add("\n").view());
}

}  // namespace

const std::atomic<bool>& stop_request() { return stop_requested; }

void install_signals() {
  // No SA_RESTART: a read that waits for a pipe must wake up and see the request.
  struct sigaction once{};
  once.sa_handler = on_interrupt;
  once.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &once, nullptr);
  sigaction(SIGTERM, &once, nullptr);
  struct sigaction present{};
  sigaction(SIGHUP, nullptr, &present);
  if (present.sa_handler != SIG_IGN) sigaction(SIGHUP, &once, nullptr);
  struct sigaction on_bus{};
  on_bus.sa_sigaction = on_bus_error;
  on_bus.sa_flags = SA_SIGINFO;
  sigaction(SIGBUS, &on_bus, nullptr);
  std::signal(SIGPIPE, SIG_DFL);
  // Beyond a file size limit, write() should fail like any other write.
  std::signal(SIGXFSZ, SIG_IGN);
  std::set_terminate(on_terminate);
}

}  // namespace glassrank::cli
