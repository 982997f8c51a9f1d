#pragma once
// A whole file, read-only, mapped into memory for as long as the object lives.

#include <cstddef>
#include <span>
#include <string>

namespace glassrank {

class MappedFile {
 public:
  // Throws Error{kIo} with the system's reason. An empty file gives an empty span.
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&&) = delete;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const char> bytes() const { return {data_, size_}; }
  // Tells the system that [begin, end) is not needed any more, so that reading a file much larger
  // than memory does not count as using it. The bytes stay readable.
  void release(std::size_t begin, std::size_t end) const;

 private:
  char* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace glassrank
