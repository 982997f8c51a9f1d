#include "glassrank/base/buffer.h"

#include <new>
#include <sys/mman.h>

namespace glassrank {

void* allocate_aligned(std::size_t num_bytes) {
  constexpr std::size_t kHugePage = std::size_t{2} << 20;
  const bool large = num_bytes >= 4 * kHugePage;
  const std::size_t alignment = large ? kHugePage : 64;
  const std::size_t rounded = (num_bytes + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
  if (memory == nullptr) throw std::bad_alloc();
  if (large) madvise(memory, rounded, MADV_HUGEPAGE);  // a hint: failure changes nothing
  return memory;
}

}  // namespace glassrank
