#pragma once
// The whole text of an input file, whatever its packing.
//
// A plain file is memory-mapped; .gz and .zst files are recognised by their first bytes, not by
// name, and decompressed; "-" is standard input. Truncated or corrupt compressed data is an
// Error{kInput} that names the file.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "glassrank/base/context.h"

namespace glassrank {

class InputText {
 public:
  InputText(const std::string& path, const Context& context);

  const std::string& name() const { return name_; }  // the path, or "standard input"
  std::string_view text() const { return text_; }

 private:
  std::string name_;
  std::shared_ptr<const void> owner_;
  std::string_view text_;
};

}  // namespace glassrank
