#pragma once
// Writes a file so that it appears whole or not at all.
//
// Bytes go to a temporary name beside the target; commit() flushes them to disk and renames. An
// object destroyed before commit() (an exception, a full disk) removes the temporary file; a killed
// process leaves at most the temporary one. Every failure is an Error{kIo} naming the target.
// Files that belong together are all finished before the first is committed: finish() is what a
// full disk or a missing folder stops, and after it only the rename is left to do. A link is
// followed, also to a file that is not there yet; a target that is no regular file (a pipe,
// /dev/stdout) is written directly. A file that is replaced keeps its mode and owner. What killed
// processes left beside the target is removed by the next one that writes there.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace glassrank {

class AtomicFile {
 public:
  explicit AtomicFile(std::string path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view text);
  void write(std::span<const std::byte> bytes);
  template <typename... Args>
  void print(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(buffer_), format, std::forward<Args>(args)...);
    if (buffer_.size() >= kBufferSize) flush();
  }
  // Puts bytes at a place of their own: beyond what write() has written or, after a flush(), over
  // it. Any threads may do so at once, but not during the other functions. Not for pipes.
  void write_at(std::size_t offset, std::string_view bytes);
  // Hands what has been written so far to the system.
  void flush();
  // Bytes written so far by write() and print().
  std::size_t size() const { return flushed_ + buffer_.size(); }
  // Everything but the rename; nothing can be written after it.
  void finish();
  // finish(), if that was not done, and the rename.
  void commit();

 private:
  static constexpr std::size_t kBufferSize = std::size_t{1} << 20;
  void write_through(const char* data, std::size_t size);
  void discard();

  std::string path_;            // as given, for messages
  std::string target_path_;     // with links followed
  std::string temporary_path_;  // empty: the target is written directly
  int descriptor_ = -1;
  std::size_t flushed_ = 0;
  fmt::memory_buffer buffer_;
};

// The file that a path leads to, links followed, also one that is not there yet: an absolute path
// without "." and "..".
std::string followed_path(const std::string& path);

// The whole of a small text file at once.
void write_text_file(const std::string& path, std::string_view text);
std::string read_text_file(const std::string& path);

}  // namespace glassrank
