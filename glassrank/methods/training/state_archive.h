#pragma once
// Numbers, text and lists of them to bytes and back: the states of checkpoints. One function of the
// method names every member and serves both directions.
//
//   template <typename T> void archive(StateArchive& state, T& bag) { state(bag.number, bag.rows);
//   }
// Bytes are those of this kind of machine (little-endian): states are read where they were written.

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "glassrank/base/error.h"

namespace glassrank {

class StateArchive {
 public:
  StateArchive() = default;  // writes
  explicit StateArchive(std::string bytes) : bytes_(std::move(bytes)), is_reading_(true) {}

  bool is_reading() const { return is_reading_; }
  std::string bytes() && { return std::move(bytes_); }

  template <typename... T>
  void operator()(T&... values) {
    (one(values), ...);
  }

 private:
  template <typename T>
    requires std::is_trivially_copyable_v<T>
  void one(T& value) {
    raw(reinterpret_cast<char*>(&value), sizeof(T));
  }
  void one(std::string& text) {
    std::size_t size = text.size();
    one(size);
    resize(text, size);
    raw(text.data(), size);
  }
  template <typename T>
  void one(std::vector<T>& values) {
    std::size_t size = values.size();
    one(size);
    resize(values, size);
    if constexpr (std::is_trivially_copyable_v<T>) {
      raw(reinterpret_cast<char*>(values.data()), size * sizeof(T));
    } else {
      for (T& value : values) one(value);
    }
  }
  // A damaged size must not take all memory.
  template <typename T>
  void resize(T& values, std::size_t size) {
    if (!is_reading_) return;
    if (size > bytes_.size()) fail(ErrorKind::kInput, "the state of the training is damaged");
    values.resize(size);
  }
  void raw(char* data, std::size_t size) {
    if (!is_reading_) {
      bytes_.append(data, size);
      return;
    }
    if (size > bytes_.size() - at_) fail(ErrorKind::kInput, "the state of the training is damaged");
    if (size > 0) std::memcpy(data, bytes_.data() + at_, size);
    at_ += size;
  }

  std::string bytes_;
  std::size_t at_ = 0;
  bool is_reading_ = false;
};

}  // namespace glassrank
