#include "glassrank/methods/training/search_space.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "glassrank/base/elementary.h"
#include "glassrank/base/error.h"
#include "glassrank/base/params.h"
#include "glassrank/base/random.h"

namespace glassrank {
namespace {

constexpr std::string_view kNumberList = "list of float";
// They decide what is compared.
constexpr std::array<std::string_view, 3> kCompared = {"metric", "stop_metric", "train_metric"};

std::string value_of(const Method& method, const std::string& name) {
  const std::vector<ParamInfo> infos = list_params(method);
  return std::ranges::find(infos, name, &ParamInfo::name)->value;
}

// Whether successive halving decides it.
bool is_length(const std::string& name, const Method& method) {
  const std::unique_ptr<Method> longer = method.clone();
  // Parameters that count rounds may be 0, for "as many as another one".
  const auto set = [&](const char* value) { set_param(*longer, name, {value}); };
  try {
    set("64");
  } catch (const Error&) {
    return false;  // no count of rounds
  }
  const std::string before = value_of(*longer, name);
  longer->scale_rounds(0.5);
  return value_of(*longer, name) != before;
}

double number_from(std::string_view text, const std::string& whole) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) {
    fail(ErrorKind::kUsage,
         "search '{}': '{}' is not a number; a range is low..high, low..high:log or a|b|c", whole,
         text);
  }
  return value;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string number_text(const SearchRange& range, double value) {
  if (range.is_whole) return fmt::format("{:.0f}", value);
  const std::string rounded = fmt::format("{:.4g}", value);
  double back = 0;
  std::from_chars(rounded.data(), rounded.data() + rounded.size(), back);
  return fmt::format("{}", std::clamp(back, range.low, range.high));
}

std::size_t num_values(const SearchRange& range) {
  if (!range.choices.empty()) return range.choices.size();
  return range.is_whole ? static_cast<std::size_t>(range.high - range.low) + 1 : kUncounted;
}

// Set `number` of the grid.
std::vector<std::string> grid_set(std::span<const SearchRange> ranges, std::size_t number) {
  std::vector<std::string> values(ranges.size());
  for (std::size_t r = ranges.size(); r-- > 0;) {
    const SearchRange& range = ranges[r];
    const std::size_t i = number % num_values(range);
    number /= num_values(range);
    values[r] = range.choices.empty() ? number_text(range, range.low + static_cast<double>(i))
                                      : range.choices[i];
  }
  return values;
}

ParamInfo searchable(const std::string& name, const Method& method) {
  const std::vector<ParamInfo> infos = list_params(method);
  const auto info = std::ranges::find(infos, name, &ParamInfo::name);
  if (info == infos.end()) fail_unknown_param(name, infos);
  const auto refuse = [&](std::string_view why) {
    fail(ErrorKind::kUsage, "search: {} cannot be searched: {}", name, why);
  };
  if (std::ranges::find(kCompared, name) != kCompared.end()) {
    refuse("it decides what trials are compared by");
  }
  if (info->is_list && info->type != kNumberList) refuse("its value is a list of texts");
  if (is_length(name, method)) {
    refuse("it is how long a trial is trained, which search.rungs shares out");
  }
  return *info;
}

// Leaves out what means the same as a choice before it: 0.1 and 0.10. Throws for choices that the
// parameter does not take.
void drop_repeated(std::vector<std::string>& choices, const std::string& name,
                   const Method& method) {
  std::set<std::string> seen;
  std::erase_if(choices, [&](const std::string& choice) {
    const std::unique_ptr<Method> trial = method.clone();
    set_searched(*trial, name, choice);
    return !seen.insert(value_of(*trial, name)).second;
  });
}

// Both ends must be values the parameter takes.
void check_ends(const SearchRange& range, const Method& method) {
  const std::unique_ptr<Method> trial = method.clone();
  set_param(*trial, range.name, {number_text(range, range.low)});
  set_param(*trial, range.name, {number_text(range, range.high)});
}

SearchRange parse_range(const std::string& name, std::string_view text, const std::string& whole,
                        const Method& method) {
  const ParamInfo info = searchable(name, method);
  SearchRange range{.name = name, .is_whole = info.type == "int"};
  const bool is_number = info.type == "int" || info.type == "float";
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos || !is_number) {
    range.choices = split(text, '|');
    drop_repeated(range.choices, name, method);
    return range;
  }
  std::string_view high = text.substr(dots + 2);
  constexpr std::string_view kLog = ":log";
  range.is_log = high.ends_with(kLog);
  if (range.is_log) high.remove_suffix(kLog.size());
  range.low = number_from(text.substr(0, dots), whole);
  range.high = number_from(high, whole);
  if (range.is_whole &&
      (range.low != std::round(range.low) || range.high != std::round(range.high))) {
    fail(ErrorKind::kUsage, "search '{}': {} takes whole numbers", whole, name);
  }
  if (range.low > range.high) {
    fail(ErrorKind::kUsage, "search '{}': the range ends below its begin", whole);
  }
  if (range.is_log && range.low <= 0) {
    fail(ErrorKind::kUsage, "search '{}': a log scale begins above 0", whole);
  }
  check_ends(range, method);
  return range;
}

std::vector<SearchRange> read_file(const std::string& path, const Method& method) {
  std::vector<SearchRange> ranges;
  for (const ParamAssignment& line : read_toml(path)) {
    try {
      const std::string text = fmt::format("{}", fmt::join(line.values, "|"));
      ranges.push_back(parse_range(line.name, text, fmt::format("{}={}", line.name, text), method));
    } catch (Error& error) {
      error.add_context(fmt::format("{}:{}", path, line.line));
      throw;
    }
  }
  return ranges;
}

}  // namespace

void set_searched(Method& method, const std::string& name, std::string_view value) {
  const std::vector<ParamInfo> infos = list_params(method);
  const auto info = std::ranges::find(infos, name, &ParamInfo::name);
  if (info == infos.end() || !info->is_list) {
    set_param(method, name, {std::string(value)});
    return;
  }
  if (value.starts_with('[') && value.ends_with(']')) value = value.substr(1, value.size() - 2);
  set_param(method, name, split(value, ','));
}

std::vector<SearchRange> parse_search_space(std::span<const std::string> texts,
                                            const Method& method) {
  std::vector<SearchRange> ranges;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) {
      const bool follows = &text != texts.data() && !std::filesystem::exists(text);
      if (follows) {
        fail(ErrorKind::kUsage,
             "search '{}': this is neither NAME=RANGE nor a file; choices have | between them: "
             "{}|{}",
             text, *(&text - 1), text);
      }
      for (SearchRange& range : read_file(text, method)) ranges.push_back(std::move(range));
    } else {
      ranges.push_back(parse_range(text.substr(0, equals),
                                   std::string_view(text).substr(equals + 1), text, method));
    }
  }
  if (ranges.empty()) fail(ErrorKind::kUsage, "search: no parameter has a range");
  for (std::size_t r = 0; r < ranges.size(); ++r) {
    if (std::ranges::count(ranges, ranges[r].name, &SearchRange::name) > 1) {
      fail(ErrorKind::kUsage, "search: {} has two ranges", ranges[r].name);
    }
  }
  return ranges;
}

std::vector<std::string> searched_params(std::span<const std::string> texts, const Method& method) {
  std::vector<std::string> names;
  if (texts.empty()) return names;
  for (SearchRange& range : parse_search_space(texts, method)) {
    names.push_back(std::move(range.name));
  }
  return names;
}

std::size_t num_sets(std::span<const SearchRange> ranges) {
  std::size_t product = 1;
  for (const SearchRange& range : ranges) {
    const std::size_t n = num_values(range);
    if (n > kUncounted / product) return kUncounted;
    product *= n;
  }
  return product;
}

std::string draw_value(const SearchRange& range, std::size_t place, std::size_t draw,
                       std::uint64_t seed) {
  const CounterRandom random(seed, "random_search", draw);
  if (!range.choices.empty()) return range.choices[random.below(place, range.choices.size())];
  const double u = random.uniform(place);
  // A whole number k stands for [k - 1/2, k + 1/2): every one of an even range is as likely.
  const double half = range.is_whole ? 0.5 : 0;
  const double low = range.is_log ? portable_log(range.low - half) : range.low - half;
  const double high = range.is_log ? portable_log(range.high + half) : range.high + half;
  const double value = low + u * (high - low);
  const double drawn = range.is_log ? portable_exp(value) : value;
  return number_text(range,
                     std::clamp(range.is_whole ? std::round(drawn) : drawn, range.low, range.high));
}

std::vector<std::vector<std::string>> search_sets(std::span<const SearchRange> ranges,
                                                  std::size_t most, std::uint64_t seed) {
  std::vector<std::vector<std::string>> sets;
  if (const std::size_t all = num_sets(ranges); all <= most) {
    for (std::size_t i = 0; i < all; ++i) sets.push_back(grid_set(ranges, i));
    return sets;
  }
  // A range as narrow as the four digits of its numbers has fewer sets than anyone can count.
  constexpr std::size_t kDrawsInVain = 10'000;
  std::set<std::vector<std::string>> seen;
  for (std::size_t draw = 0, in_vain = 0; sets.size() < most && in_vain < kDrawsInVain; ++draw) {
    std::vector<std::string> values;
    for (std::size_t r = 0; r < ranges.size(); ++r) {
      values.push_back(draw_value(ranges[r], r, draw, seed));
    }
    const bool is_new = seen.insert(values).second;
    in_vain = is_new ? 0 : in_vain + 1;
    if (is_new) sets.push_back(std::move(values));
  }
  return sets;
}

}  // namespace glassrank
