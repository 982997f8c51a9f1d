#include "glassrank/base/large_buffer.h"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>

#include "glassrank/base/buffer.h"
#include "glassrank/base/error.h"

namespace glassrank {
namespace {

constexpr std::uint64_t kPartOfMemory = 4;

std::string reason(int error) { return std::generic_category().message(error); }

// A file that nobody else sees and that is gone when it is closed.
int open_nameless(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor >= 0) return descriptor;
  // Not every file system has nameless files.
  std::string path = folder + "/glassrank-XXXXXX";
  const int named = ::mkostemp(path.data(), O_CLOEXEC);
  if (named < 0) {
    fail(ErrorKind::kIo, "{}: cannot make a file for data that does not fit in memory: {}", folder,
         reason(errno));
  }
  ::unlink(path.c_str());
  return named;
}

void* map_new_file(const std::string& folder, std::size_t num_bytes) {
  const int descriptor = open_nameless(folder);
  const int full = ::posix_fallocate(descriptor, 0, static_cast<off_t>(num_bytes));
  void* data = MAP_FAILED;
  int error = full;
  if (full == 0) {
    data = ::mmap(nullptr, num_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    error = errno;
  }
  ::close(descriptor);  // the mapping keeps the file
  if (data != MAP_FAILED) return data;
  fail(ErrorKind::kIo,
       "{}: no room for {} bytes of data that do not fit in memory: {}; give another folder with "
       "--scratch, or more --memory",
       folder, num_bytes, reason(error));
}

}  // namespace

bool LargeMemory::goes_into_file(std::size_t num_bytes, const Context& context) {
  return context.memory > 0 && num_bytes > context.memory / kPartOfMemory;
}

LargeMemory::LargeMemory(std::size_t num_bytes, const Context& context) {
  if (goes_into_file(num_bytes, context)) {
    data_ = map_new_file(context.scratch.empty() ? "." : context.scratch, num_bytes);
    mapped_ = num_bytes;
  } else {
    data_ = allocate_aligned(num_bytes);
  }
}

LargeMemory::~LargeMemory() {
  if (mapped_ > 0) {
    ::munmap(data_, mapped_);
  } else {
    std::free(data_);
  }
}

LargeMemory::LargeMemory(LargeMemory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), mapped_(std::exchange(other.mapped_, 0)) {}

LargeMemory& LargeMemory::operator=(LargeMemory&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(mapped_, other.mapped_);
  return *this;
}

}  // namespace glassrank
