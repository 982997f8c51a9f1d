#include "glassrank/metrics/metric.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/suggest.h"
#include "glassrank/metrics/registry.h"

namespace glassrank {
namespace {

template <typename T>
std::optional<T> parse_whole(std::string_view text) {
  T value{};
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error != std::errc{} || end != last) return std::nullopt;
  return value;
}

// trec_eval's "ndcg_cut_10" and "P_10" as "ndcg@10" and "P@10"; any other text as it is. Its names
// without a cutoff (map, recip_rank, Rprec, bpref) are names or aliases of metrics.
std::string from_trec_eval(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kNames = {
      {{"ndcg_cut", "ndcg"},
       {"map_cut", "map"},
       {"p", "p"},
       {"recall", "r"},
       {"success", "success"},
       {"judged", "judged"},
       {"rbp", "rbp"}}};
  const std::size_t end = text.rfind('_');
  if (end == std::string_view::npos || end + 1 == text.size()) return std::string(text);
  std::string name(text.substr(0, end));
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
  const auto found = std::ranges::find(kNames, name, [](const auto& pair) { return pair.first; });
  const std::string_view digits = text.substr(end + 1);
  const bool is_number = digits.find_first_not_of("0123456789") == std::string_view::npos;
  if (found == kNames.end() || !is_number) return std::string(text);
  return fmt::format("{}@{}", found->second, digits);
}

// "p(rel=2)@5" cut into "p", "rel=2", "5"; the last two empty when absent.
struct Pieces {
  std::string_view name;
  std::optional<std::string_view> params;
  std::optional<std::string_view> cutoff;
};

Pieces cut(std::string_view text) {
  Pieces pieces;
  const std::size_t at = text.rfind('@');
  const std::size_t close = text.rfind(')');
  std::string_view head = text;
  if (at != std::string_view::npos && (close == std::string_view::npos || at > close)) {
    pieces.cutoff = text.substr(at + 1);
    head = text.substr(0, at);
    if (head.find('@', close == std::string_view::npos ? 0 : close) != std::string_view::npos) {
      fail(ErrorKind::kUsage, "metric '{}': two cutoffs; a metric has one, as in ndcg@10", text);
    }
  }
  const std::size_t open = head.find('(');
  pieces.name = head.substr(0, open);
  if (open != std::string_view::npos) {
    if (head.back() != ')') {
      fail(ErrorKind::kUsage, "metric '{}': '(' without ')' before the cutoff; write p(rel=2)@5",
           text);
    }
    pieces.params = head.substr(open + 1, head.size() - open - 2);
  }
  return pieces;
}

void check_range(std::string_view metric, const MetricParam& param, double value) {
  const Range& r = param.range;
  const bool below = r.open_low ? value <= r.low : value < r.low;
  const bool above = r.open_high ? value >= r.high : value > r.high;
  if (below || above || !std::isfinite(value)) {
    fail(ErrorKind::kUsage, "metric '{}': {} = {} is out of range; it must be {}", metric,
         param.name, value, range_text(r));
  }
}

// One "rel=2"; the value lands at the parameter's declared place in `values`.
void parse_param(std::string_view text, std::string_view item, const MetricInfo& info,
                 std::vector<std::optional<double>>& values) {
  const std::size_t equals = item.find('=');
  const std::string_view name = item.substr(0, equals);
  const auto found = std::ranges::find(info.params, name, &MetricParam::name);
  if (found == info.params.end()) {
    std::vector<std::string> known;
    for (const MetricParam& param : info.params) known.emplace_back(param.name);
    if (known.empty()) {
      fail(ErrorKind::kUsage, "metric '{}': {} has no parameters", text, info.name);
    }
    fail(ErrorKind::kUsage, "metric '{}': {}", text,
         unknown_name_message("parameter", name, known));
  }
  const auto value = equals == std::string_view::npos
                         ? std::nullopt
                         : parse_whole<double>(item.substr(equals + 1));
  if (!value) {
    fail(ErrorKind::kUsage, "metric '{}': '{}' must be {}=NUMBER", text, item, name);
  }
  check_range(text, *found, *value);
  auto& place = values[static_cast<std::size_t>(found - info.params.begin())];
  if (place) fail(ErrorKind::kUsage, "metric '{}': {} is given twice", text, name);
  place = value;
}

std::size_t parse_cutoff(std::string_view text, std::string_view digits, const MetricInfo& info) {
  if (!info.has_cutoff) {
    fail(ErrorKind::kUsage, "metric '{}': {} has no cutoff; write {}", text, info.name, info.name);
  }
  const auto cutoff = parse_whole<std::uint32_t>(digits);
  if (!cutoff || *cutoff == 0) {
    fail(ErrorKind::kUsage, "metric '{}': the cutoff '{}' must be a whole number of at least 1",
         text, digits);
  }
  return *cutoff;
}

}  // namespace

std::optional<double> MetricSpec::param(std::string_view param_name) const {
  for (const auto& [key, value] : params) {
    if (key == param_name) return value;
  }
  return std::nullopt;
}

MetricSpec parse_metric(std::string_view given) {
  const std::string text = from_trec_eval(given);
  const Pieces pieces = cut(text);
  const MetricInfo& info = find_metric(pieces.name);
  MetricSpec spec{.name = std::string(info.name), .params = {}, .cutoff = kNoCutoff};
  std::vector<std::optional<double>> values(info.params.size());
  if (pieces.params) {
    for (std::size_t begin = 0; begin <= pieces.params->size();) {
      const std::size_t end = std::min(pieces.params->find(',', begin), pieces.params->size());
      parse_param(text, pieces.params->substr(begin, end - begin), info, values);
      begin = end + 1;
    }
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto& value = values[i];
    if (value) spec.params.emplace_back(info.params[i].name, *value);
  }
  if (pieces.cutoff) spec.cutoff = parse_cutoff(text, *pieces.cutoff, info);
  return spec;
}

std::vector<MetricSpec> parse_metrics(std::span<const std::string> texts) {
  std::vector<MetricSpec> specs;
  specs.reserve(texts.size());
  for (const std::string& text : texts) specs.push_back(parse_metric(text));
  return specs;
}

std::string to_text(const MetricSpec& spec) {
  std::string text = spec.name;
  for (std::size_t i = 0; i < spec.params.size(); ++i) {
    text += fmt::format("{}{}={}", i == 0 ? "(" : ",", spec.params[i].first, spec.params[i].second);
  }
  if (!spec.params.empty()) text += ")";
  if (spec.cutoff != kNoCutoff) text += fmt::format("@{}", spec.cutoff);
  return text;
}

EmptyQuery zero_unless_skipped(const EmptyQuery& empty) { return {.skip = empty.skip, .value = 0}; }

}  // namespace glassrank
