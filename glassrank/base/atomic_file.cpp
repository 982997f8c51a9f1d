#include "glassrank/base/atomic_file.h"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

#include "glassrank/base/error.h"
#include "glassrank/base/mapped_file.h"

namespace glassrank {

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)), target_path_(path_) {
  struct stat status{};
  if (::stat(path_.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) {
      errno = EISDIR;
      fail_errno("write", path_);
    }
    if (!S_ISREG(status.st_mode)) {
      descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
      if (descriptor_ < 0) fail_errno("write", path_);
      return;
    }
    target_path_ = std::filesystem::canonical(path_).string();
  }
  temporary_path_ = fmt::format("{}.{}.tmp", target_path_, ::getpid());
  descriptor_ = ::open(temporary_path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail_errno("write", path_);
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
  if (::close(std::exchange(descriptor_, -1)) != 0) fail_errno("write", path_);
  buffer_ = fmt::memory_buffer();  // many finished files may wait for their commit
}

void AtomicFile::commit() {
  finish();
  if (temporary_path_.empty()) return;
  if (::rename(temporary_path_.c_str(), target_path_.c_str()) != 0) fail_errno("write", path_);
  temporary_path_.clear();
}

void AtomicFile::discard() {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  if (!temporary_path_.empty()) ::unlink(temporary_path_.c_str());
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
