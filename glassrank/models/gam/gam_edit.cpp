#include "glassrank/models/gam/gam_edit.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/suggest.h"
#include "glassrank/models/gam/gam_edit_check.h"
#include "glassrank/models/gam/gam_purify.h"
#include "glassrank/models/gam/monotone.h"
#include "glassrank/models/model_categories.h"

namespace glassrank {
namespace {

// The cells [begin, end) of an axis.
struct CellRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

CellRange cells_of(const GamAxis& axis, const EditRange& range, const std::string& name) {
  if (range.missing) return {axis.missing_cell(), axis.missing_cell() + 1};
  const bool from_lowest = range.low == -std::numeric_limits<double>::infinity();
  const bool to_highest = range.high == std::numeric_limits<double>::infinity();
  if (from_lowest && to_highest) return {0, axis.missing_cell()};
  // As float32, which values and edges are: 0.7 is the edge 0.7.
  constexpr double kLargest = std::numeric_limits<float>::max();
  const auto low = static_cast<float>(std::clamp(range.low, -kLargest, kLargest));
  const auto high = static_cast<float>(std::clamp(range.high, -kLargest, kLargest));
  if (axis.edges.empty() || low > axis.edges.back() || high < axis.edges.front()) {
    fail(ErrorKind::kUsage, "the range {} is outside of {}, {}", to_text(range), name,
         axis.edges.empty()
             ? "which has no edges: one cell holds every value"
             : fmt::format("whose edges run from {} to {}", axis.edges.front(), axis.edges.back()));
  }
  return {from_lowest ? 0 : axis.cell(low), to_highest ? axis.missing_cell() : axis.cell(high) + 1};
}

// The cells of categories, each of which has one for itself.
std::vector<std::size_t> cells_of(const Gam& gam, const GamAxis& axis,
                                  std::span<const std::string> categories) {
  const auto names = names_of(gam.categories(), axis.feature);
  std::vector<std::size_t> cells;
  for (const std::string& category : categories) {
    const auto found = std::ranges::find(names, category);
    if (found == names.end()) {
      throw Error(ErrorKind::kUsage, unknown_name_message("category", category, names));
    }
    const std::size_t cell = axis.cell(static_cast<float>(found - names.begin()));
    if (category_of_cell(axis, cell, names) != category) {
      fail(ErrorKind::kUsage,
           "'{}' has no value of its own: {} has one for all categories that training saw in few "
           "rows or not at all; without 'in {{...}}' the edit takes every category",
           category, gam.feature_name(axis.feature));
    }
    cells.push_back(cell);
  }
  std::ranges::sort(cells);
  return cells;
}

// The cells an edit is about: a block of a table of rows and columns. A curve is a single row.
class Block {
 public:
  Block(const Gam& gam, GamEffect& effect, const GamEdit& edit)
      : effect_(effect), row_size_(effect.axes.back().num_cells()) {
    const std::size_t num_axes = effect.axes.size();
    rows_ = {0, 1};
    for (std::size_t a = 0; a < num_axes; ++a) {
      const GamAxis& axis = effect.axes[a];
      const EditRange range = edit.ranges.empty() ? EditRange{} : edit.ranges[a];
      if (!range.categories.empty()) {
        chosen_ = cells_of(gam, axis, range.categories);
        columns_ = {0, axis.num_cells()};
        continue;
      }
      (a + 1 == num_axes ? columns_ : rows_) =
          cells_of(axis, range, gam.feature_name(axis.feature));
    }
  }

  // Calls use(cell) for every cell.
  template <typename Use>
  void for_each(Use&& use) const {
    for (std::size_t r = rows_.begin; r < rows_.end; ++r) {
      for (std::size_t c = columns_.begin; c < columns_.end; ++c) {
        if (is_chosen(c)) use(r * row_size_ + c);
      }
    }
  }
  CellRange columns() const { return columns_; }

  // Of the block's cells at most `window` rows and columns away from one of them.
  double mean_around(std::size_t cell, std::size_t window) const {
    const auto near = [&](CellRange range, std::size_t at) {
      return CellRange{at < range.begin + window ? range.begin : at - window,
                       std::min(range.end, at + window + 1)};
    };
    return mean(near(rows_, cell / row_size_), near(columns_, cell % row_size_));
  }
  double mean() const { return mean(rows_, columns_); }

  void set(std::size_t cell, double value) {
    if (effect_.values[cell] == value) return;
    effect_.values[cell] = value;
    if (!effect_.errors.empty()) effect_.errors[cell] = 0;
  }

 private:
  bool is_chosen(std::size_t column) const {
    return chosen_.empty() || std::ranges::binary_search(chosen_, column);
  }
  double mean(CellRange rows, CellRange columns) const {
    double weighted = 0;
    double weight = 0;
    double sum = 0;
    double count = 0;
    for (std::size_t r = rows.begin; r < rows.end; ++r) {
      for (std::size_t c = columns.begin; c < columns.end; ++c) {
        if (!is_chosen(c)) continue;
        const std::size_t cell = r * row_size_ + c;
        sum += effect_.values[cell];
        count += 1;
        if (effect_.weights.empty()) continue;
        weighted += effect_.weights[cell] * effect_.values[cell];
        weight += effect_.weights[cell];
      }
    }
    return weight > 0 ? weighted / weight : sum / count;
  }

  GamEffect& effect_;
  std::size_t row_size_;
  CellRange rows_;
  CellRange columns_;
  std::vector<std::size_t> chosen_;  // of a curve, if not all of its columns; ascending
};

void smooth(Block& block, std::size_t window) {
  std::vector<std::pair<std::size_t, double>> means;
  block.for_each([&](std::size_t c) { means.emplace_back(c, block.mean_around(c, window)); });
  for (const auto& [cell, mean] : means) block.set(cell, mean);
}

// Pool adjacent violators: neighbouring pools out of order become one, at their weighted mean.
void make_monotone(const GamEffect& effect, Block& block, double sign) {
  struct Pool {
    double value = 0;
    double weight = 0;
    std::size_t size = 0;
  };
  double least = std::numeric_limits<double>::infinity();
  for (const double weight : effect.weights) {
    if (weight > 0) least = std::min(least, weight);
  }
  const bool weighted = std::isfinite(least);
  std::vector<Pool> pools;
  block.for_each([&](std::size_t c) {
    double weight = 1;
    if (weighted) weight = effect.weights[c] > 0 ? effect.weights[c] : 1e-9 * least;
    pools.push_back({sign * effect.values[c], weight, 1});
    while (pools.size() > 1 && pools[pools.size() - 2].value > pools.back().value) {
      const Pool last = pools.back();
      pools.pop_back();
      Pool& pool = pools.back();
      const double total = pool.weight + last.weight;
      pool = {(pool.weight * pool.value + last.weight * last.value) / total, total,
              pool.size + last.size};
    }
  });
  std::size_t cell = block.columns().begin;
  for (const Pool& pool : pools) {
    for (std::size_t i = 0; i < pool.size; ++i) block.set(cell++, sign * pool.value);
  }
}

// Of a feature with surfaces: curve and surfaces together.
bool is_in_surface(const Gam& gam, const std::string& feature) {
  return std::ranges::any_of(gam.effects(), [&](const GamEffect& effect) {
    return effect.is_pair() && std::ranges::any_of(effect.axes, [&](const GamAxis& axis) {
             return gam.feature_name(axis.feature) == feature;
           });
  });
}

Gam made_monotone(const Gam& gam, const GamEdit& edit) {
  MonotoneRule rule{.sign = edit.kind == EditKind::kMonotoneUp ? 1.0 : -1.0};
  GamParts parts = gam.parts();
  bool has_curve = false;
  for (const GamEffect& effect : gam.effects()) {
    for (const GamAxis& axis : effect.axes) {
      if (gam.feature_name(axis.feature) != edit.effect) continue;
      rule.feature = axis.feature;
      has_curve = has_curve || !effect.is_pair();
    }
  }
  // Finds what is wrong with the range, as for a curve alone.
  if (has_curve) Block(gam, parts.effects[find_effect(gam, edit)], edit);
  if (edit.ranges.size() > 1) {
    fail(ErrorKind::kUsage, "{} takes one range, for example 0..100", edit.effect);
  }
  if (!edit.ranges.empty()) {
    // As float32, which edges are.
    constexpr double kLargest = std::numeric_limits<float>::max();
    const EditRange& range = edit.ranges[0];
    if (range.low >= -kLargest) rule.low = static_cast<float>(std::min(range.low, kLargest));
    if (range.high <= kLargest) rule.high = static_cast<float>(std::max(range.high, -kLargest));
  }
  parts.effects = nearest_monotone(gam, rule);
  return Gam(std::move(parts));
}

// Also where it has no curve, only surfaces.
void refuse_category(const Gam& gam, const std::string& feature) {
  for (std::size_t f = 0; f < gam.categories().size(); ++f) {
    if (gam.feature_name(f) != feature || gam.categories()[f].empty()) continue;
    fail(ErrorKind::kUsage,
         "{} is a feature of categories, which have no order: nothing can be smoothed or made "
         "monotone; flatten, clamp and drop take it",
         feature);
  }
}

// The mean of an effect over rows. Without weights that of its cells: how many rows lack a value
// nobody knows, so cells of missing values are left out.
double mean_of(const GamEffect& effect, const Block& block) {
  double sum = 0;
  double weight = 0;
  for (std::size_t c = 0; c < effect.weights.size(); ++c) {
    sum += effect.weights[c] * effect.values[c];
    weight += effect.weights[c];
  }
  return weight > 0 ? sum / weight : block.mean();
}

}  // namespace

Gam edited(const Gam& gam, const GamEdit& edit) {
  check_edit(edit);
  if (edit.kind == EditKind::kPurify) {
    return edit.effect.empty() ? purified(gam) : purified(gam, find_effect(gam, edit));
  }
  const bool is_monotone =
      edit.kind == EditKind::kMonotoneUp || edit.kind == EditKind::kMonotoneDown;
  if (is_monotone) refuse_category(gam, edit.effect);
  if (is_monotone && is_in_surface(gam, edit.effect)) return made_monotone(gam, edit);
  const std::size_t e = find_effect(gam, edit);
  GamParts parts = gam.parts();
  GamEffect& effect = parts.effects[e];
  Block block(gam, effect, edit);
  if (edit.kind == EditKind::kDrop) {
    parts.intercept += mean_of(effect, block);
    parts.effects.erase(parts.effects.begin() + static_cast<std::ptrdiff_t>(e));
    return Gam(std::move(parts));
  }
  if (is_monotone) {
    make_monotone(effect, block, edit.kind == EditKind::kMonotoneUp ? 1 : -1);
  } else if (edit.kind == EditKind::kSmooth) {
    smooth(block, static_cast<std::size_t>(edit.window));
  } else if (edit.kind == EditKind::kFlatten) {
    const double mean = block.mean();
    block.for_each([&](std::size_t c) { block.set(c, mean); });
  } else {
    block.for_each([&](std::size_t c) {
      block.set(c, std::clamp(effect.values[c], edit.limits.low, edit.limits.high));
    });
  }
  return Gam(std::move(parts));
}

std::size_t num_edits(const Provenance& provenance) {
  const auto is_edit = [](const auto& line) {  // edit.1, but not edit.1.measured
    return line.first.starts_with("edit.") && line.first.rfind('.') == 4;
  };
  return static_cast<std::size_t>(std::ranges::count_if(provenance, is_edit));
}

Model edited(const Model& model, const GamEdit& edit) {
  Model result{.body = edited(require_gam(model, "an edit"), edit), .provenance = model.provenance};
  const std::size_t number = num_edits(model.provenance) + 1;
  result.provenance.emplace_back(fmt::format("edit.{}", number), to_text(edit));
  return result;
}

}  // namespace glassrank
