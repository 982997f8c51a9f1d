#pragma once
// The --help of a command whose options stand under headings: a line for each option that matters,
// its text cut to the width of the page, so that all of it fits a screen. --help-all has every
// option with all that can be said about it.

#include <span>
#include <string>
#include <vector>

#include "glassrank/base/params.h"

namespace glassrank::cli {

inline constexpr std::size_t kHelpColumns = 100;

struct GroupedHelp {
  std::string command;  // "glassrank train"
  std::string summary;
  std::vector<std::string> examples;
  std::span<const ParamInfo> infos;
  bool shows_all = false;
};

std::string to_text(const GroupedHelp& help);

// What fits into `width` characters: all of it, or up to the first mark between two parts of the
// sentence, or as many whole words as there is room for.
std::string shortened(const std::string& text, std::size_t width);

}  // namespace glassrank::cli
