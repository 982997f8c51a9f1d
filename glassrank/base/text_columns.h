#pragma once
// Rows of cells as aligned text: columns as wide as their widest cell, two spaces apart.
// Widths count characters (UTF-8 code points), not bytes. No trailing spaces.

#include <string>
#include <vector>

namespace glassrank {

class TextColumns {
 public:
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  // One line per row, each ending in a newline.
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace glassrank
