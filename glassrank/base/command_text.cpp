#include "glassrank/base/command_text.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace glassrank {
namespace {

constexpr std::string_view kPlain =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";

std::string option_text(const ParamInfo& info) {
  const std::string flag = flag_name(info.name);
  if (info.is_flag) return fmt::format(" --{}{}", info.value == "true" ? "" : "no-", flag);
  if (!info.is_list) return fmt::format(" --{} {}", flag, shell_word(info.value));
  if (!info.style.one_value) {
    return fmt::format(" --{} {}", flag, shell_word(fmt::format("{}", fmt::join(info.items, ","))));
  }
  std::string text;
  for (const std::string& item : info.items) {
    text += fmt::format(" --{} {}", flag, shell_word(item));
  }
  return text;
}

}  // namespace

std::string flag_name(std::string name) {
  std::ranges::replace(name, '_', '-');
  return name;
}

std::string shell_word(std::string_view text) {
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string_view::npos) {
    return std::string(text);
  }
  std::string word = "'";
  for (const char c : text) {
    if (c == '\'') {
      word += "'\\''";
    } else {
      word += c;
    }
  }
  return word + "'";
}

std::string given_options(std::span<const ParamInfo> infos, std::span<const ParamInfo> defaults) {
  std::string text;
  for (const ParamInfo& info : infos) {
    const auto usual = std::ranges::find(defaults, info.name, &ParamInfo::name);
    const bool is_usual =
        usual != defaults.end() && usual->value == info.value && usual->items == info.items;
    if (!is_usual) text += option_text(info);
  }
  return text;
}

}  // namespace glassrank
