#include "glassrank/base/atomic_file.h"

#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <fcntl.h>
#include <filesystem>
#include <string_view>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "glassrank/base/error.h"
#include "glassrank/base/mapped_file.h"

namespace glassrank {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnd = ".tmp";
constexpr std::size_t kRandomDigits = 8;

// TARGET.RANDOM.PID.tmp. Two processes may have one number: in two containers, on two machines.
std::string temporary_name(const std::string& target) {
  std::uint32_t number = 0;
  if (::getrandom(&number, sizeof number, GRND_NONBLOCK) != sizeof number) {
    number =
        static_cast<std::uint32_t>(std::chrono::steady_clock::now().time_since_epoch().count());
  }
  return fmt::format("{}.{:08x}.{}{}", target, number, ::getpid(), kEnd);
}

// The process of a temporary file of the target; 0: it is none.
pid_t process_of(std::string_view name, std::string_view target) {
  if (!name.starts_with(target) || !name.ends_with(kEnd)) return 0;
  if (name.size() <= target.size() + kRandomDigits + 2 + kEnd.size()) return 0;
  name.remove_prefix(target.size());
  name.remove_suffix(kEnd.size());
  const std::string_view random = name.substr(1, kRandomDigits);
  const bool is_random = random.find_first_not_of("0123456789abcdef") == random.npos;
  if (!is_random || name.front() != '.' || name[kRandomDigits + 1] != '.') return 0;
  pid_t process = 0;
  const char* const end = name.data() + name.size();
  const auto parsed = std::from_chars(name.data() + kRandomDigits + 2, end, process);
  return parsed.ec == std::errc() && parsed.ptr == end && process > 0 ? process : 0;
}

// If nobody writes it any more: its process is gone, or had our number, and nobody anywhere holds
// its lock. It is removed under the lock, see open_locked.
void remove_if_stale(const fs::path& temporary, pid_t process) {
  if (process != ::getpid() && (::kill(process, 0) == 0 || errno != ESRCH)) return;
  const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor < 0) return;
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) ::unlink(temporary.c_str());
  ::close(descriptor);
}

constexpr int kTaken = -1;

// A new file that is locked until it is closed. kTaken: somebody has one of that name, or took ours
// for a stale one just before it was locked.
int open_locked(const std::string& path, mode_t mode) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (descriptor < 0) return errno == EEXIST ? kTaken : kTaken - 1;
  const bool is_taken = ::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  struct stat status{};
  if (!is_taken && (::fstat(descriptor, &status) != 0 || status.st_nlink > 0)) return descriptor;
  ::close(descriptor);
  return kTaken;
}

// What processes that were killed left of the target.
void remove_stale(const fs::path& target) {
  const std::string file = target.filename().string();
  std::error_code error;
  for (fs::directory_iterator entry(target.parent_path(), error), last; !error && entry != last;
       entry.increment(error)) {
    const pid_t process = process_of(entry->path().filename().string(), file);
    if (process != 0) remove_if_stale(entry->path(), process);
  }
}

// A rename is on disk once its folder is. Not every file system can be asked for that.
void sync_folder(const std::string& file) {
  const std::string folder = fs::path(file).parent_path().string();
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)) {
  struct stat status{};
  const bool exists = ::stat(path_.c_str(), &status) == 0;
  if (!exists && errno == ELOOP) fail_errno("write", path_);
  if (exists) {
    if (S_ISDIR(status.st_mode)) {
      errno = EISDIR;
      fail_errno("write", path_);
    }
    if (!S_ISREG(status.st_mode)) {
      descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
      if (descriptor_ < 0) fail_errno("write", path_);
      return;
    }
  }
  target_path_ = followed_path(path_);
  remove_stale(target_path_);  // first: if it throws, there is nothing of ours to remove
  // Never more open than what it replaces, not even before the mode is set.
  const mode_t mode = exists ? status.st_mode & 0777 : 0666;
  constexpr int kAttempts = 100;  // all but the first are for the rarest of races
  for (int i = 0; i < kAttempts && descriptor_ == kTaken; ++i) {
    temporary_path_ = temporary_name(target_path_);
    descriptor_ = open_locked(temporary_path_, mode);
  }
  if (descriptor_ < 0) {
    temporary_path_.clear();  // not ours
    fail_errno("write", path_);
  }
  if (exists) {
    // Only root may give files away, and some file systems have no modes: then the file is ours.
    static_cast<void>(::fchown(descriptor_, status.st_uid, status.st_gid) == 0);
    static_cast<void>(::fchmod(descriptor_, status.st_mode & 07777) == 0);
  }
}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::write(std::string_view text) {
  if (text.size() >= kBufferSize) {
    flush();
    write_through(text.data(), text.size());
    return;
  }
  buffer_.append(text.data(), text.data() + text.size());
  if (buffer_.size() >= kBufferSize) flush();
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  write(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

void AtomicFile::flush() {
  write_through(buffer_.data(), buffer_.size());
  buffer_.clear();
}

void AtomicFile::write_through(const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t written = ::write(descriptor_, data, size);
    if (written < 0) {
      if (errno == EINTR) continue;
      fail_errno("write", path_);
    }
    data += written;
    size -= static_cast<std::size_t>(written);
    flushed_ += static_cast<std::size_t>(written);
  }
}

void AtomicFile::write_at(std::size_t offset, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written =
        ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0) {
      if (errno == EINTR) continue;
      fail_errno("write", path_);
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
    offset += static_cast<std::size_t>(written);
  }
}

void AtomicFile::finish() {
  if (descriptor_ < 0) return;
  flush();
  // Pipes and terminals cannot be synced; they say EINVAL or EROFS.
  if (::fsync(descriptor_) != 0 && !temporary_path_.empty()) fail_errno("write", path_);
  // It stays open: its lock says that somebody still wants it, and who has to end in a hurry finds
  // it among the open files (cli/signals.cpp).
  buffer_ = fmt::memory_buffer();  // many finished files may wait for their commit
}

void AtomicFile::commit() {
  finish();
  // Closing may fail, so it comes before the rename; a second descriptor holds the lock meanwhile.
  const int lock = descriptor_ < 0 ? -1 : ::fcntl(descriptor_, F_DUPFD_CLOEXEC, 0);
  const bool is_closed = descriptor_ < 0 || ::close(std::exchange(descriptor_, -1)) == 0;
  const bool is_done = is_closed && (temporary_path_.empty() ||
                                     ::rename(temporary_path_.c_str(), target_path_.c_str()) == 0);
  const int error = errno;
  if (lock >= 0) ::close(lock);
  errno = error;
  if (!is_done) fail_errno("write", path_);
  if (temporary_path_.empty()) return;
  temporary_path_.clear();
  sync_folder(target_path_);
}

void AtomicFile::discard() {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  if (!temporary_path_.empty()) ::unlink(temporary_path_.c_str());
}

std::string followed_path(const std::string& path) {
  constexpr int kMostLinks = 40;  // as many as the system follows; a circle fails when it is opened
  fs::path followed = path;
  std::error_code error;
  for (int i = 0; i < kMostLinks && fs::is_symlink(followed, error); ++i) {
    const fs::path target = fs::read_symlink(followed, error);
    followed = followed.parent_path() / target;  // an absolute target stands alone
  }
  const fs::path absolute = fs::absolute(followed, error);
  const fs::path canonical = fs::weakly_canonical(absolute, error);
  return (canonical.empty() ? absolute : canonical).string();
}

void write_text_file(const std::string& path, std::string_view text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

std::string read_text_file(const std::string& path) {
  const MappedFile file(path);
  return {file.bytes().begin(), file.bytes().end()};
}

}  // namespace glassrank
