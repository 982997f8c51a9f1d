#include "glassrank/base/atomic_file.h"

#include <cerrno>
#include <charconv>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "glassrank/base/error.h"
#include "glassrank/base/mapped_file.h"

namespace glassrank {

namespace {

namespace fs = std::filesystem;

// Whether nobody writes it any more: its process is gone, and no other machine holds its lock.
bool is_stale(const fs::path& temporary, pid_t process) {
  if (::kill(process, 0) == 0 || errno != ESRCH) return false;
  const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor < 0) return false;
  const bool is_free = ::flock(descriptor, LOCK_EX | LOCK_NB) == 0;
  ::close(descriptor);
  return is_free;
}

// TARGET.PID.tmp of processes that were killed.
void remove_stale(const fs::path& target) {
  const std::string begin = target.filename().string() + ".";
  constexpr std::string_view kEnd = ".tmp";
  std::error_code error;
  for (fs::directory_iterator entry(target.parent_path(), error), last; !error && entry != last;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(begin) || !name.ends_with(kEnd)) continue;
    if (name.size() <= begin.size() + kEnd.size()) continue;
    const char* first = name.data() + begin.size();
    const char* end = name.data() + name.size() - kEnd.size();
    pid_t process = 0;
    const auto parsed = std::from_chars(first, end, process);
    if (parsed.ec != std::errc() || parsed.ptr != end || process <= 0) continue;
    if (is_stale(entry->path(), process)) ::unlink(entry->path().c_str());
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
  temporary_path_ = fmt::format("{}.{}.tmp", target_path_, ::getpid());
  remove_stale(target_path_);  // first: if it throws, there is nothing of ours to remove
  // Never more open than what it replaces, not even before the mode is set.
  const mode_t mode = exists ? status.st_mode & 0777 : 0666;
  descriptor_ = ::open(temporary_path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
  if (descriptor_ < 0) fail_errno("write", path_);
  ::flock(descriptor_, LOCK_EX | LOCK_NB);  // until it is closed: see is_stale
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
  if (descriptor_ >= 0 && ::close(std::exchange(descriptor_, -1)) != 0) fail_errno("write", path_);
  if (temporary_path_.empty()) return;
  if (::rename(temporary_path_.c_str(), target_path_.c_str()) != 0) fail_errno("write", path_);
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
