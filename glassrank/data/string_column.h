#pragma once
// One short text per row (document ids, comments), stored as one blob and 64-bit offsets: millions
// of ids without a heap block each. Either holds a text for every row or is empty().

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace glassrank {

class StringColumn {
 public:
  StringColumn() = default;
  // Over memory that `owner` keeps alive (a mapped cache); `offsets` has one entry more than rows.
  StringColumn(std::span<const std::uint64_t> offsets, std::string_view blob,
               std::shared_ptr<const void> owner)
      : owner_(std::move(owner)), offsets_(offsets), blob_(blob) {}

  bool empty() const { return offsets_.size() <= 1; }
  std::size_t size() const { return offsets_.empty() ? 0 : offsets_.size() - 1; }
  std::string_view operator[](std::size_t row) const {
    return blob_.substr(offsets_[row], offsets_[row + 1] - offsets_[row]);
  }
  std::span<const std::uint64_t> offsets() const { return offsets_; }
  std::string_view blob() const { return blob_; }

 private:
  std::shared_ptr<const void> owner_;
  std::span<const std::uint64_t> offsets_;
  std::string_view blob_;
};

class StringColumnBuilder {
 public:
  void add(std::string_view text) {
    data_->blob += text;
    data_->offsets.push_back(data_->blob.size());
  }
  std::size_t size() const { return data_->offsets.size() - 1; }
  // Leaves the builder empty.
  StringColumn finish() {
    const auto& data = *data_;
    StringColumn column(data.offsets, data.blob, std::move(data_));
    data_ = std::make_shared<Data>();
    return column;
  }

 private:
  struct Data {
    std::vector<std::uint64_t> offsets = {0};
    std::string blob;
  };
  std::shared_ptr<Data> data_ = std::make_shared<Data>();
};

}  // namespace glassrank
