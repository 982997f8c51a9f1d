#pragma once
// An owned array of plain values: 64-byte aligned, not initialised, move-only.
//
// std::vector would zero every page before a reader overwrites it; for matrices of gigabytes that
// is a second pass over memory. Large buffers ask for huge pages.

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <span>
#include <type_traits>

namespace glassrank {

// 64-byte aligned storage; large blocks are aligned to and advised as 2 MiB pages.
// Throws std::bad_alloc. Freed with std::free.
void* allocate_aligned(std::size_t num_bytes);

template <typename T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Buffer() = default;
  explicit Buffer(std::size_t size)
      : data_(static_cast<T*>(allocate_aligned(size * sizeof(T)))), size_(size) {}

  std::size_t size() const { return size_; }
  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  T& operator[](std::size_t i) { return data_.get()[i]; }
  const T& operator[](std::size_t i) const { return data_.get()[i]; }
  std::span<T> span() { return {data_.get(), size_}; }
  std::span<const T> span() const { return {data_.get(), size_}; }

 private:
  struct Free {
    void operator()(T* p) const { std::free(p); }
  };
  std::unique_ptr<T, Free> data_;
  std::size_t size_ = 0;
};

}  // namespace glassrank
