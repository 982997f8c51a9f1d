#pragma once
// A small table of the demo's text.

#include <string>
#include <vector>

namespace glassrank {

struct DemoTable {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;  // each as long as the header
};

}  // namespace glassrank
