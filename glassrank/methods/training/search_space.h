#pragma once
// The ranges a parameter search draws from, as people write them.
//
//   num_leaves=16..128           a whole number, both ends included (the parameter decides)
//   learning_rate=0.02..0.2:log  drawn on a log scale; numbers have 4 significant digits
//   growth=leaf|depth            one of these, also for numbers: l2=0|1|10
//   hidden=16|[64,32]            and for lists of numbers
//   ranges.toml                  a file with such lines: num_leaves = "16..128"; lists are choices
// A draw depends on the seed, its number and the place of the range only.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "glassrank/methods/method.h"

namespace glassrank {

struct SearchRange {
  std::string name;
  std::vector<std::string> choices;  // no two alike; empty: from low to high
  double low = 0;
  double high = 0;
  bool is_log = false;
  bool is_whole = false;
};

// Throws Error{kUsage}: no range, an unknown parameter (with the nearest), one that is a list of
// texts, is named twice or decides what is compared (metric, stop_metric, train_metric) or how long
// is trained (what Method::scale_rounds changes), a text that is no range, ends that are out of
// order or that the parameter refuses, a log scale from 0.
std::vector<SearchRange> parse_search_space(std::span<const std::string> texts,
                                            const Method& method);
// The parameters of the ranges; none of no texts.
std::vector<std::string> searched_params(std::span<const std::string> texts, const Method& method);

// Sets a value of a range; a list may be in brackets. Throws as set_param does.
void set_searched(Method& method, const std::string& name, std::string_view value);

// How many sets of values there are: choices and whole numbers can be counted, other ranges have
// kUncounted.
inline constexpr std::size_t kUncounted = std::numeric_limits<std::size_t>::max();
std::size_t num_sets(std::span<const SearchRange> ranges);

// A value of the range, as set_param takes it.
std::string draw_value(const SearchRange& range, std::size_t place, std::size_t draw,
                       std::uint64_t seed);

// `most` sets with one value of each range, no two alike, drawn (fewer where 10,000 draws find no
// new one); or every set if there are no more than that: a grid, the last range turning fastest.
std::vector<std::vector<std::string>> search_sets(std::span<const SearchRange> ranges,
                                                  std::size_t most, std::uint64_t seed);

}  // namespace glassrank
