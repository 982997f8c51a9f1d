#include "glassrank/base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "glassrank/base/error.h"

namespace glassrank {

MappedFile::MappedFile(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) fail_errno("open", path);
  struct stat status{};
  if (::fstat(descriptor, &status) != 0) {
    ::close(descriptor);
    fail_errno("read", path);
  }
  if (!S_ISREG(status.st_mode)) {
    ::close(descriptor);
    fail(ErrorKind::kIo, "cannot read '{}': it is not a regular file", path);
  }
  size_ = static_cast<std::size_t>(status.st_size);
  if (size_ > 0) {
    void* memory = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (memory == MAP_FAILED) {
      ::close(descriptor);
      fail_errno("map", path);
    }
    data_ = static_cast<char*>(memory);
  }
  ::close(descriptor);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(data_, size_);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

void MappedFile::release(std::size_t begin, std::size_t end) const {
  constexpr std::size_t kPage = 4096;
  begin = (begin + kPage - 1) / kPage * kPage;
  end = end / kPage * kPage;
  if (begin < end) ::madvise(data_ + begin, end - begin, MADV_DONTNEED);
}

}  // namespace glassrank
