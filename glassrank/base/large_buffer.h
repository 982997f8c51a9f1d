#pragma once
// An array that may be too large for memory: then it lies in a file that the system pages in and
// out.
//
// Whoever runs the program may limit its memory (Context::memory). An array that would take more
// than a quarter of that goes into a file without a name in Context::scratch, mapped into memory.
// Its space is taken at once, so that a full disk is an error and no crash later; it is given back
// when the array goes, also when the program is killed. Without a limit everything is in memory.
// Contents are the same either way, and so is every result.

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include "glassrank/base/context.h"

namespace glassrank {

// The bytes: not initialised in memory, zeros in a file.
class LargeMemory {
 public:
  LargeMemory() = default;
  // Throws std::bad_alloc, or Error{kIo} if the file cannot be made.
  LargeMemory(std::size_t num_bytes, const Context& context);
  ~LargeMemory();
  LargeMemory(LargeMemory&& other) noexcept;
  LargeMemory& operator=(LargeMemory&& other) noexcept;
  LargeMemory(const LargeMemory&) = delete;
  LargeMemory& operator=(const LargeMemory&) = delete;

  void* data() const { return data_; }
  bool is_in_file() const { return mapped_ > 0; }
  static bool goes_into_file(std::size_t num_bytes, const Context& context);

 private:
  void* data_ = nullptr;
  std::size_t mapped_ = 0;  // bytes of the mapping; 0: in memory
};

template <typename T>
class LargeBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  LargeBuffer() = default;
  LargeBuffer(std::size_t size, const Context& context)
      : memory_(size * sizeof(T), context), size_(size) {}

  std::size_t size() const { return size_; }
  T* data() { return static_cast<T*>(memory_.data()); }
  const T* data() const { return static_cast<const T*>(memory_.data()); }
  std::span<T> span() { return {data(), size_}; }
  std::span<const T> span() const { return {data(), size_}; }
  bool is_in_file() const { return memory_.is_in_file(); }

 private:
  LargeMemory memory_;
  std::size_t size_ = 0;
};

}  // namespace glassrank
