#include "glassrank/base/param_uses.h"

#include <algorithm>

#include <fmt/format.h>

#include "glassrank/base/error.h"

namespace glassrank {

std::string flag_of(std::string name) {
  std::ranges::replace(name, '_', '-');
  return "--" + name;
}

std::string or_list(std::span<const std::string_view> values) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    text += i == 0 ? "" : i + 1 == values.size() ? " or " : ", ";
    text += values[i];
  }
  return text;
}

void refuse_unused(std::span<const ParamUse> uses, std::string_view prefix,
                   std::span<const ParamInfo> infos, std::span<const std::string> given) {
  for (const ParamUse& use : uses) {
    const std::string name = fmt::format("{}{}", prefix, use.name);
    if (std::ranges::find(given, name) == given.end()) continue;
    const std::string needed = fmt::format("{}{}", prefix, use.needs);
    const auto owner = std::ranges::find(infos, needed, &ParamInfo::name);
    if (owner == infos.end()) continue;
    if (std::ranges::find(use.values, owner->value) != use.values.end()) continue;
    fail(ErrorKind::kUsage, "{} belongs to {} {}; here {} is {}", flag_of(name), flag_of(needed),
         or_list(use.values), needed, owner->value);
  }
}

}  // namespace glassrank
