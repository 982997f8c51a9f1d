#include "glassrank/methods/feature_rules.h"

#include <string_view>

#include <fmt/format.h>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

std::size_t index_of(std::string_view name, const Dataset& data, const std::string& where) {
  try {
    return data.feature_index(name);
  } catch (Error& error) {
    error.add_context(where);
    throw;
  }
}

// "[a, b]" -> "a, b".
std::string_view without_brackets(std::string_view text) {
  text = trimmed(text);
  const bool square = text.starts_with('[') && text.ends_with(']');
  const bool round = text.starts_with('(') && text.ends_with(')');
  return square || round ? text.substr(1, text.size() - 2) : text;
}

std::vector<std::uint32_t> parse_set(const std::string& text, const Dataset& data) {
  std::vector<std::uint32_t> set;
  std::string_view rest = trimmed(without_brackets(text));
  if (rest.empty()) fail(ErrorKind::kUsage, "interactions '{}': a set needs a feature", text);
  while (true) {
    const std::size_t comma = rest.find(',');
    const std::string_view name = trimmed(rest.substr(0, comma));
    set.push_back(
        static_cast<std::uint32_t>(index_of(name, data, fmt::format("interactions '{}'", text))));
    if (comma == std::string_view::npos) return set;
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace

std::vector<std::int8_t> parse_monotone(std::span<const std::string> texts, const Dataset& data) {
  std::vector<std::int8_t> directions;
  for (const std::string& text : texts) {
    const std::string_view rule = trimmed(text);
    if (rule.size() < 2 || (rule[0] != '+' && rule[0] != '-')) {
      fail(ErrorKind::kUsage,
           "monotone '{}' must be + (the score never falls) or - (it never rises) and a feature",
           text);
    }
    directions.resize(data.num_features());
    const std::size_t feature =
        index_of(trimmed(rule.substr(1)), data, fmt::format("monotone '{}'", text));
    const std::int8_t direction = rule[0] == '+' ? std::int8_t{1} : std::int8_t{-1};
    if (directions[feature] == -direction) {
      fail(ErrorKind::kUsage, "monotone: feature '{}' cannot have both directions",
           data.feature_names()[feature]);
    }
    directions[feature] = direction;
  }
  return directions;
}

FeatureSets parse_interactions(std::span<const std::string> texts, const Dataset& data) {
  FeatureSets sets;
  for (const std::string& text : texts) sets.push_back(parse_set(text, data));
  return sets;
}

}  // namespace glassrank
