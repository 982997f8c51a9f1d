#include "glassrank/models/gam/gam_purify.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "glassrank/base/error.h"
#include "glassrank/models/gam/bag_tables.h"
#include "glassrank/models/gam/distil.h"

namespace glassrank {
namespace {

constexpr double kTolerance = 1e-12;  // of means, relative to the surface's largest value
constexpr int kMaxRounds = 5;
constexpr int kMaxSweeps = 1000;  // a round

using Numbers = std::vector<double>;

double largest(std::span<const double> values) {
  double result = 0;
  for (const double value : values) result = std::max(result, std::abs(value));
  return result;
}

// Means along the rows and columns of a surface, by its weights.
class Margins {
 public:
  explicit Margins(const GamEffect& surface)
      : weights_(surface.weights),
        num_columns_(surface.axes[1].num_cells()),
        rows_(surface.axes[0].num_cells()),
        columns_(num_columns_) {
    for (std::size_t c = 0; c < weights_.size(); ++c) {
      rows_[c / num_columns_] += weights_[c];
      columns_[c % num_columns_] += weights_[c];
    }
  }

  // Their weights.
  const Numbers& rows() const { return rows_; }
  const Numbers& columns() const { return columns_; }

  // value(row, column): of a cell. Without weight in the row, columns count by theirs.
  template <typename Value>
  Numbers row_means(Value&& value) const {
    Numbers means(rows_.size());
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      const double* weights = rows_[r] > 0 ? &weights_[r * num_columns_] : columns_.data();
      double sum = 0;
      double weight = 0;
      for (std::size_t c = 0; c < num_columns_; ++c) {
        sum += weights[c] * value(r, c);
        weight += weights[c];
      }
      means[r] = sum / weight;
    }
    return means;
  }
  template <typename Value>
  Numbers column_means(Value&& value) const {
    Numbers sums(num_columns_);
    Numbers weights(num_columns_);
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      for (std::size_t c = 0; c < num_columns_; ++c) {
        const double weight = columns_[c] > 0 ? weights_[r * num_columns_ + c] : rows_[r];
        sums[c] += weight * value(r, c);
        weights[c] += weight;
      }
    }
    for (std::size_t c = 0; c < num_columns_; ++c) sums[c] /= weights[c];
    return sums;
  }

 private:
  std::span<const double> weights_;
  std::size_t num_columns_;
  Numbers rows_;
  Numbers columns_;
};

// Of the table's columns once its rows have mean 0.
Numbers remaining_columns(const Margins& margins, std::span<const double> table) {
  const std::size_t num_columns = margins.columns().size();
  const auto value = [&](std::size_t r, std::size_t c) { return table[r * num_columns + c]; };
  const Numbers rows = margins.row_means(value);
  return margins.column_means([&](std::size_t r, std::size_t c) { return value(r, c) - rows[r]; });
}

// What to take from the columns so that, with rows of mean 0, they have mean 0 too. Taking row and
// column means in turn would do it, but slowly where the two features go together: these are the
// sweeps of that, along conjugate directions.
Numbers fitted_columns(const Margins& margins, std::span<const double> table, double tolerance) {
  const Numbers& weights = margins.columns();
  const auto product = [&](const Numbers& a, const Numbers& b) {
    double sum = 0;
    for (std::size_t c = 0; c < a.size(); ++c) sum += weights[c] * a[c] * b[c];
    return sum;
  };
  Numbers fit(weights.size());
  Numbers rest = remaining_columns(margins, table);
  // Columns without weight take no part; they get their mean in the end.
  for (std::size_t c = 0; c < rest.size(); ++c) {
    if (weights[c] == 0) rest[c] = 0;
  }
  Numbers direction = rest;
  double squares = product(rest, rest);
  for (int sweep = 0; sweep < kMaxSweeps && largest(rest) > tolerance; ++sweep) {
    const Numbers rows =
        margins.row_means([&](std::size_t, std::size_t c) { return direction[c]; });
    Numbers swept =
        margins.column_means([&](std::size_t r, std::size_t c) { return direction[c] - rows[r]; });
    const double bend = product(direction, swept);
    if (!(bend > 0)) break;
    const double step = squares / bend;
    for (std::size_t c = 0; c < fit.size(); ++c) {
      if (weights[c] == 0) continue;
      fit[c] += step * direction[c];
      rest[c] -= step * swept[c];
    }
    const double before = std::exchange(squares, product(rest, rest));
    for (std::size_t c = 0; c < fit.size(); ++c) {
      direction[c] = rest[c] + squares / before * direction[c];
    }
  }
  return fit;
}

// What a surface has in its rows and its columns alone.
struct MainParts {
  Numbers rows;
  Numbers columns;
};

void add(Numbers& to, const Numbers& more) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += more[i];
}

MainParts main_parts(const Margins& margins, const Numbers& values) {
  const std::size_t num_columns = margins.columns().size();
  const double tolerance = kTolerance * largest(values);
  MainParts parts{Numbers(margins.rows().size()), Numbers(num_columns)};
  Numbers table = values;
  const auto value = [&](std::size_t r, std::size_t c) { return table[r * num_columns + c]; };
  // Again, because sweeps lose digits.
  for (int round = 0; round < kMaxRounds; ++round) {
    if (largest(margins.row_means(value)) <= tolerance &&
        largest(margins.column_means(value)) <= tolerance) {
      break;
    }
    const Numbers fit = fitted_columns(margins, table, tolerance / 2);
    const Numbers rows =
        margins.row_means([&](std::size_t r, std::size_t c) { return value(r, c) - fit[c]; });
    Numbers columns = margins.column_means(
        [&](std::size_t r, std::size_t c) { return value(r, c) - rows[r] - fit[c]; });
    add(columns, fit);
    add(parts.rows, rows);
    add(parts.columns, columns);
    for (std::size_t i = 0; i < table.size(); ++i) {
      table[i] = values[i] - parts.rows[i / num_columns] - parts.columns[i % num_columns];
    }
  }
  return parts;
}

// The weight of values up to each edge, in the end of all that are not missing.
Numbers weights_up_to(const Numbers& weights) {
  Numbers sums;
  double sum = 0;
  for (std::size_t c = 0; c + 1 < weights.size(); ++c) sums.push_back(sum += weights[c]);
  return sums;
}

// Of the cells of `axis`, whose edges are those of `curve` and of `other`.
Numbers split_weights(const GamAxis& axis, const GamEffect& curve, const GamAxis& other,
                      const Numbers& other_weights) {
  const Numbers known = weights_up_to(curve.weights);
  const Numbers more = weights_up_to(other_weights);
  const double total = known.back();
  const double scale = more.back() > 0 ? total / more.back() : 0;
  Numbers weights;
  double before = 0;
  for (const float edge : axis.edges) {
    const std::size_t cell = curve.axes[0].cell(edge);
    const std::size_t other_cell = other.cell(edge);
    double up_to = known[cell];
    if (cell == curve.axes[0].edges.size() || curve.axes[0].edges[cell] != edge) {
      up_to = std::clamp(scale * more[other_cell], before, known[cell]);
    }
    // Sums of fractions differ by rounding where no row is.
    if (up_to - before < 1e-12 * total) up_to = before;
    weights.push_back(up_to - before);
    before = up_to;
  }
  weights.push_back(std::max(total - before, 0.0));
  weights.push_back(curve.weights.back());
  return weights;
}

// The curve with the edges of `other` besides its own.
void add_edges(GamEffect& curve, const GamAxis& other, const Numbers& other_weights) {
  GamAxis axis{.feature = other.feature, .edges = {}};
  std::ranges::set_union(curve.axes[0].edges, other.edges, std::back_inserter(axis.edges));
  if (axis == curve.axes[0]) return;
  const auto spread = [&](Numbers& cells) {
    if (cells.empty()) return;
    Numbers wider;
    for (const float edge : axis.edges) wider.push_back(cells[curve.axes[0].cell(edge)]);
    wider.insert(wider.end(), cells.end() - 2, cells.end());
    cells = std::move(wider);
  };
  if (!curve.weights.empty()) curve.weights = split_weights(axis, curve, other, other_weights);
  spread(curve.values);
  spread(curve.errors);
  curve.axes[0] = std::move(axis);
}

// The curve of an axis' feature; a flat one where there is none.
GamEffect& curve_of(GamParts& parts, const GamAxis& axis, const Numbers& weights) {
  const auto is_it = [&](const GamEffect& effect) {
    return !effect.is_pair() && effect.axes[0].feature == axis.feature;
  };
  const auto found = std::ranges::find_if(parts.effects, is_it);
  if (found != parts.effects.end()) return *found;
  const auto behind = std::ranges::find_if(parts.effects, [&](const GamEffect& effect) {
    return effect.is_pair() || effect.axes[0].feature > axis.feature;
  });
  return *parts.effects.insert(
      behind,
      {.axes = {axis}, .values = Numbers(axis.num_cells()), .errors = {}, .weights = weights});
}

// As edits do: errors are of values that have not changed.
void change(GamEffect& effect, std::size_t cell, double by) {
  if (by == 0) return;
  effect.values[cell] += by;
  if (!effect.errors.empty()) effect.errors[cell] = 0;
}

void add_to_curve(GamParts& parts, const GamAxis& axis, const Numbers& weights,
                  const Numbers& values) {
  if (largest(values) == 0) return;
  GamEffect& curve = curve_of(parts, axis, weights);
  add_edges(curve, axis, weights);
  for (std::size_t c = 0; c < curve.axes[0].edges.size(); ++c) {
    change(curve, c, values[axis.cell(curve.axes[0].edges[c])]);
  }
  const std::size_t above = curve.axes[0].edges.size();
  change(curve, above, values[axis.edges.size()]);
  change(curve, above + 1, values[axis.missing_cell()]);
}

void purify(GamParts& parts, std::size_t e, const std::string& name) {
  const GamEffect surface = parts.effects[e];
  const Margins margins(surface);
  if (largest(margins.rows()) == 0) return;
  MainParts main = main_parts(margins, surface.values);
  const std::size_t num_columns = margins.columns().size();
  const double least = kTolerance * largest(surface.values);
  for (std::size_t c = 0; c < surface.values.size(); ++c) {
    const double rest =
        surface.values[c] - main.rows[c / num_columns] - main.columns[c % num_columns];
    // What rounding leaves of a surface without interaction is none.
    change(parts.effects[e], c, (std::abs(rest) <= least ? 0 : rest) - surface.values[c]);
  }
  parts.intercept += centre_table(main.rows, margins.rows());
  parts.intercept += centre_table(main.columns, margins.columns());
  if (!std::isfinite(parts.intercept)) {
    fail(ErrorKind::kUsage, "{} holds values that are too large to purify", name);
  }
  add_to_curve(parts, surface.axes[0], margins.rows(), main.rows);
  add_to_curve(parts, surface.axes[1], margins.columns(), main.columns);
}

void require_weights(const Gam& gam, std::size_t e) {
  if (!gam.effects()[e].weights.empty()) return;
  fail(ErrorKind::kUsage, "{} holds no weights of its cells, by which to purify; --data gives them",
       gam.effect_name(e));
}

}  // namespace

Gam purified(const Gam& gam) {
  for (std::size_t e = 0; e < gam.effects().size(); ++e) {
    if (gam.effects()[e].is_pair()) require_weights(gam, e);
  }
  GamParts parts = gam.parts();
  for (std::size_t e = 0; e < gam.effects().size(); ++e) {
    const GamEffect& surface = gam.effects()[e];
    if (!surface.is_pair()) continue;
    // By features: new curves move surfaces on.
    const auto at = std::ranges::find(parts.effects, surface.axes, &GamEffect::axes);
    purify(parts, static_cast<std::size_t>(at - parts.effects.begin()), gam.effect_name(e));
  }
  return centred(Gam(std::move(parts)));
}

Gam purified(const Gam& gam, std::size_t surface) {
  require_weights(gam, surface);
  GamParts parts = gam.parts();
  purify(parts, surface, gam.effect_name(surface));
  return Gam(std::move(parts));
}

}  // namespace glassrank
