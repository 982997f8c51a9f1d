#include "cli/option_text.h"

#include <algorithm>

#include <fmt/format.h>

namespace glassrank::cli {

std::string flag_name(std::string name) {
  std::ranges::replace(name, '_', '-');
  return name;
}

std::vector<std::string> flags_of(const ParamInfo& info) {
  const std::string name = flag_name(info.name);
  std::vector<std::string> flags;
  if (info.style.positional) flags.push_back(name);
  flags.push_back("--" + name);
  // A flag that is on by default needs a way to turn it off.
  if (info.is_flag && info.value == "true") flags.push_back("--no-" + name);
  if (!info.style.alias.empty()) {
    flags.push_back(
        fmt::format("{}{}", info.style.alias.size() == 1 ? "-" : "--", info.style.alias));
  }
  return flags;
}

std::string value_name(const ParamInfo& info) {
  if (info.is_flag) return "";
  if (!info.style.value_name.empty()) return std::string(info.style.value_name);
  if (info.style.file != FileUse::kNone) return "FILE";
  if (info.type == "int") return "INT";
  if (info.type == "float" || info.type == "list of float") return "NUMBER";
  return "TEXT";
}

std::string option_help(const ParamInfo& info) {
  std::string text = info.doc;
  const std::string range = range_text(info.range);
  if (!info.choices.empty() && !info.is_flag) {
    text += fmt::format(" [{}]", fmt::join(info.choices, "|"));
  } else if (!range.empty()) {
    text += fmt::format(" [{}]", range);
  }
  return text + default_text(info);
}

std::string default_text(const ParamInfo& info) {
  if (info.style.required) return " (required)";
  if (info.value.empty() || info.value == "false") return "";
  const std::string_view note = info.style.default_note;
  return fmt::format(" (default {}{}{})", info.value, note.empty() ? "" : "; ", note);
}

}  // namespace glassrank::cli
