#include "glassrank/explain/importance_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>

#include <fmt/format.h>

#include "glassrank/base/text_columns.h"

namespace glassrank {
namespace {

// Four digits, and no "-0.0000".
std::string drop_text(double drop) {
  return fmt::format("{:.4f}", std::abs(drop) < 0.00005 ? 0.0 : drop);
}

std::vector<std::string> header(const Importance& importance) {
  std::vector<std::string> cells = {"feature"};
  if (importance.permutation) {
    const PermutationParams& params = importance.permutation->params;
    cells.push_back(fmt::format("{} drop", params.metric));
    cells.push_back(fmt::format("{:.4g}% interval", 100 * params.level));
  }
  if (importance.gain) cells.emplace_back("gain");
  if (importance.splits) cells.emplace_back("splits");
  return cells;
}

}  // namespace

std::span<const std::pair<std::string_view, ImportanceKind>> EnumNames<ImportanceKind>::table() {
  static constexpr std::array<std::pair<std::string_view, ImportanceKind>, 3> kTable{{
      {"permutation", ImportanceKind::kPermutation},
      {"gain", ImportanceKind::kGain},
      {"splits", ImportanceKind::kSplits},
  }};
  return kTable;
}

std::vector<double> Importance::leading() const {
  std::vector<double> values(names.size());
  for (std::size_t f = 0; f < values.size(); ++f) {
    if (permutation) {
      values[f] = permutation->features[f].mean;
    } else if (gain) {
      values[f] = (*gain)[f];
    } else if (splits) {
      values[f] = static_cast<double>((*splits)[f]);
    }
  }
  return values;
}

std::vector<std::size_t> Importance::order() const {
  const std::vector<double> values = leading();
  std::vector<std::size_t> features(values.size());
  std::iota(features.begin(), features.end(), std::size_t{0});
  std::ranges::stable_sort(features, std::greater<>(), [&](std::size_t f) { return values[f]; });
  return features;
}

std::string importance_table(const Importance& importance, std::size_t top) {
  if (!importance.has_any()) return "";
  TextColumns table;
  std::vector<std::string> first = header(importance);
  for (std::size_t c = 1; c < first.size(); ++c) table.align_right(c);
  table.add(std::move(first));
  const std::vector<double> leading = importance.leading();
  std::vector<std::size_t> features = importance.order();
  if (features.empty()) return table.text();
  const double largest = leading[features.front()];
  const double total_gain =
      importance.gain ? std::accumulate(importance.gain->begin(), importance.gain->end(), 0.0) : 0;
  if (top > 0) features.resize(std::min(top, features.size()));
  for (const std::size_t f : features) {
    std::vector<std::string> row = {importance.names[f]};
    if (importance.permutation) {
      const FeatureDrop& drop = importance.permutation->features[f];
      row.push_back(drop_text(drop.mean));
      row.push_back(
          fmt::format("{} .. {}", drop_text(drop.interval.low), drop_text(drop.interval.high)));
    }
    if (importance.gain) {
      const double share = total_gain > 0 ? (*importance.gain)[f] / total_gain : 0;
      row.push_back(fmt::format("{:.1f}%", 100 * share));
    }
    if (importance.splits) row.push_back(fmt::format("{}", (*importance.splits)[f]));
    row.push_back(text_bar(leading[f], largest));
    table.add(std::move(row));
  }
  return table.text();
}

}  // namespace glassrank
