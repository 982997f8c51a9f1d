#include "glassrank/methods/lambdamart/feature_rules.h"

#include <string_view>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/trim.h"
#include "glassrank/data/feature_index.h"

namespace glassrank {
namespace {

using Names = std::span<const std::string>;

std::size_t index_of(std::string_view name, Names names, const std::string& where) {
  try {
    return feature_index(names, name);
  } catch (Error& error) {
    error.add_context(where);
    throw;
  }
}

std::vector<std::uint32_t> parse_set(const std::string& text, Names names) {
  std::vector<std::uint32_t> set;
  std::string_view rest = without_brackets(text);
  if (rest.empty()) fail(ErrorKind::kUsage, "interactions '{}': a set needs a feature", text);
  while (true) {
    const std::size_t comma = rest.find(',');
    const std::string_view name = trim_blanks(rest.substr(0, comma));
    set.push_back(
        static_cast<std::uint32_t>(index_of(name, names, fmt::format("interactions '{}'", text))));
    if (comma == std::string_view::npos) return set;
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace

std::vector<std::int8_t> parse_monotone(std::span<const std::string> texts,
                                        std::span<const std::string> names) {
  std::vector<std::int8_t> directions;
  for (const std::string& text : texts) {
    const std::string_view rule = trim_blanks(text);
    if (rule.size() < 2 || (rule[0] != '+' && rule[0] != '-')) {
      fail(ErrorKind::kUsage,
           "monotone '{}' must be + (the score never falls) or - (it never rises) and a feature",
           text);
    }
    directions.resize(names.size());
    const std::size_t feature =
        index_of(trim_blanks(rule.substr(1)), names, fmt::format("monotone '{}'", text));
    const std::int8_t direction = rule[0] == '+' ? std::int8_t{1} : std::int8_t{-1};
    if (directions[feature] == -direction) {
      fail(ErrorKind::kUsage, "monotone: feature '{}' cannot have both directions", names[feature]);
    }
    directions[feature] = direction;
  }
  return directions;
}

void check_directions(std::span<const std::int8_t> directions, const Schema& schema) {
  for (std::size_t f = 0; f < directions.size(); ++f) {
    if (directions[f] == 0 || !schema.is_category(f)) continue;
    fail(ErrorKind::kUsage, "monotone: '{}' is a feature of categories, which have no direction",
         schema.feature_names()[f]);
  }
}

FeatureSets parse_interactions(std::span<const std::string> texts,
                               std::span<const std::string> names) {
  FeatureSets sets;
  for (const std::string& text : texts) sets.push_back(parse_set(text, names));
  return sets;
}

}  // namespace glassrank
