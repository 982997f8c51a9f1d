#pragma once
// The whole text of an input file, whatever its packing.
//
// A plain file is memory-mapped; gzip and zstd data are recognised by their first bytes, not by
// name, and decompressed (several members or frames in a row are one text); "-" is standard input.
// Readers that go over a text piece by piece take packed files as they are (Unpack::kLater).
// Pipes are read to their end. Truncated or corrupt compressed data is an Error{kInput} that names
// the file; what cannot be opened or is a directory is an Error{kIo}.
// Memory: nothing for a mapped file whose pages are released behind the reader; else the text.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "glassrank/base/context.h"
#include "glassrank/base/mapped_file.h"
#include "glassrank/data/io/decompress.h"

namespace glassrank {

enum class Unpack { kNow, kLater };

class InputText {
 public:
  InputText(const std::string& path, const Context& context, Unpack unpack = Unpack::kNow);
  // A text in memory that the caller keeps alive.
  InputText(std::string_view text, std::string name) : name_(std::move(name)), text_(text) {}

  const std::string& name() const { return name_; }  // the path, or "standard input"
  std::string_view text() const { return text_; }
  // Of text(): kNone unless it is to be unpacked later.
  Packing packing() const { return packing_; }
  // What it may unpack to (Context::most_unpacked).
  std::uint64_t most_unpacked() const { return most_unpacked_; }
  // Says that the bytes [begin, end) of the text will not be needed soon; they stay readable.
  void release(std::size_t begin, std::size_t end) const {
    if (mapped_ != nullptr) mapped_->release(begin, end);
  }

 private:
  std::string name_;
  std::shared_ptr<const void> owner_;
  const MappedFile* mapped_ = nullptr;  // part of the owner, when the text is a mapped file
  std::string_view text_;
  Packing packing_ = Packing::kNone;
  std::uint64_t most_unpacked_ = 0;
};

}  // namespace glassrank
