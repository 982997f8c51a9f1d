#include "glassrank/base/param_uses.h"

#include <algorithm>
#include <utility>

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

namespace {

bool is_set(const ParamInfo& owner) {
  return !owner.value.empty() && owner.value != "0" && owner.value != "false";
}

bool has_one(const ParamInfo& owner, const std::vector<std::string_view>& values) {
  const std::vector<std::string> items =
      owner.is_list ? owner.items : std::vector<std::string>{owner.value};
  return std::ranges::any_of(items, [&](const std::string& item) {
    return std::ranges::find(values, item) != values.end();
  });
}

}  // namespace

void add_uses(std::vector<ParamUse>& uses, const std::vector<std::string>& names,
              const std::string& needs, const std::vector<std::string_view>& values) {
  for (const std::string& name : names) {
    uses.push_back({.name = name, .needs = needs, .values = values});
  }
}

void add_group_uses(std::vector<ParamUse>& uses, const std::string& prefix,
                    std::span<const ParamUse> group) {
  for (ParamUse use : group) {
    use.name.insert(0, prefix);
    use.needs.insert(0, prefix);
    uses.push_back(std::move(use));
  }
}

void refuse_unused(std::span<const ParamUse> uses, std::string_view prefix,
                   std::span<const ParamInfo> infos, std::span<const std::string> given) {
  for (const ParamUse& use : uses) {
    const std::string name = fmt::format("{}{}", prefix, use.name);
    if (std::ranges::find(given, name) == given.end()) continue;
    const std::string needed = fmt::format("{}{}", prefix, use.needs);
    const auto owner = std::ranges::find(infos, needed, &ParamInfo::name);
    if (owner == infos.end()) continue;
    const bool has_it = use.values.empty() ? is_set(*owner) : has_one(*owner, use.values);
    if (has_it != use.excludes) continue;
    const std::string wanted = use.values.empty()
                                   ? flag_of(needed)
                                   : fmt::format("{} {}", flag_of(needed), or_list(use.values));
    if (use.excludes) fail(ErrorKind::kUsage, "{} does not go with {}", flag_of(name), wanted);
    if (owner->value.empty()) {
      fail(ErrorKind::kUsage, "{} belongs to {}, which is not given", flag_of(name), wanted);
    }
    fail(ErrorKind::kUsage, "{} belongs to {}; here {} is {}", flag_of(name), wanted, needed,
         owner->value);
  }
}

}  // namespace glassrank
