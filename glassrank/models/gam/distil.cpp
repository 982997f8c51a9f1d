#include "glassrank/models/gam/distil.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"
#include "glassrank/data/bin_values.h"
#include "glassrank/math/fixed_point.h"
#include "glassrank/models/display_names.h"
#include "glassrank/models/model_categories.h"

namespace glassrank {
namespace {

constexpr std::size_t kMaxCells = std::size_t{1} << 27;  // 1 GB of values
constexpr float kInfinity = std::numeric_limits<float>::infinity();

using Features = std::vector<std::uint32_t>;

struct ByFeatures {
  bool operator()(const Features& a, const Features& b) const {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  }
};
using TreesOfEffects = std::map<Features, std::vector<const Tree*>, ByFeatures>;

[[noreturn]] void fail_too_many(std::size_t tree, const Features& features,
                                std::span<const std::string> names) {
  std::string text;
  for (std::size_t i = 0; i + 1 < features.size(); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ", ", names[features[i]]);
  }
  fail(ErrorKind::kInput,
       "tree {} uses {} and {}; an additive model's trees use at most two features", tree, text,
       names[features.back()]);
}

TreesOfEffects trees_of_effects(const Forest& forest) {
  TreesOfEffects effects;
  for (std::size_t t = 0; t < forest.trees().size(); ++t) {
    const Features features = features_of(forest.trees()[t]);
    if (features.size() > 2) fail_too_many(t, features, display_names(forest));
    if (!features.empty()) effects[features].push_back(&forest.trees()[t]);
  }
  return effects;
}

GamAxis axis_of(std::uint32_t feature, std::span<const Tree* const> trees) {
  GamAxis axis{.feature = feature, .edges = {}};
  for (const Tree* tree : trees) {
    for (const TreeNode& node : tree->nodes) {
      if (node.feature != feature) continue;
      if (node.asks_category()) {
        const std::vector<float> edges = edges_of(node.categories);
        axis.edges.insert(axis.edges.end(), edges.begin(), edges.end());
        continue;
      }
      if (node.threshold < kInfinity) axis.edges.push_back(node.threshold);
      if (!node.zero_is_missing) continue;
      axis.edges.push_back(std::nextafter(-kZeroThreshold, -kInfinity));
      axis.edges.push_back(kZeroThreshold);
    }
  }
  std::ranges::sort(axis.edges);
  const auto repeated = std::ranges::unique(axis.edges);
  axis.edges.erase(repeated.begin(), repeated.end());
  return axis;
}

// One value in every cell of an axis.
std::vector<float> values_in_cells(const GamAxis& axis) {
  std::vector<float> values(axis.edges.begin(), axis.edges.end());
  values.push_back(axis.edges.empty() ? 0 : std::nextafter(axis.edges.back(), kInfinity));
  values.push_back(std::numeric_limits<float>::quiet_NaN());
  return values;
}

// Adds a tree's leaves to the cells they cover. Cells of an axis are told apart by trying a value
// of each at the nodes: whatever a node asks, the cells divide exactly.
class TreeAdder {
 public:
  explicit TreeAdder(GamEffect& effect) : effect_(effect) {
    for (const GamAxis& axis : effect.axes) values_.push_back(values_in_cells(axis));
  }

  void add(const Tree& tree) {
    std::vector<std::vector<std::uint32_t>> cells(values_.size());
    for (std::size_t a = 0; a < values_.size(); ++a) {
      for (std::uint32_t c = 0; c < values_[a].size(); ++c) cells[a].push_back(c);
    }
    // A stack of our own: trees may be as deep as they have leaves.
    std::vector<std::pair<std::int32_t, std::vector<std::vector<std::uint32_t>>>> open;
    open.emplace_back(0, std::move(cells));
    while (!open.empty()) {
      auto [at, here] = std::move(open.back());
      open.pop_back();
      if (at < 0) {
        add_leaf(tree.leaf_values[static_cast<std::size_t>(~at)], here);
        continue;
      }
      const TreeNode& node = tree.nodes[static_cast<std::size_t>(at)];
      const std::size_t a = node.feature == effect_.axes[0].feature ? 0 : 1;
      auto left = here;
      std::erase_if(left[a], [&](std::uint32_t c) { return !goes_left(node, values_[a][c]); });
      std::erase_if(here[a], [&](std::uint32_t c) { return goes_left(node, values_[a][c]); });
      if (!left[a].empty()) open.emplace_back(node.left, std::move(left));
      if (!here[a].empty()) open.emplace_back(node.right, std::move(here));
    }
  }

 private:
  void add_leaf(double value, const std::vector<std::vector<std::uint32_t>>& cells) {
    if (cells.size() == 1) {
      for (const std::uint32_t c : cells[0]) effect_.values[c] += value;
      return;
    }
    const std::size_t row_size = effect_.axes[1].num_cells();
    for (const std::uint32_t row : cells[0]) {
      for (const std::uint32_t c : cells[1]) effect_.values[row * row_size + c] += value;
    }
  }

  GamEffect& effect_;
  std::vector<std::vector<float>> values_;  // by axis and cell
};

GamEffect effect_of(const Features& features, std::span<const Tree* const> trees,
                    std::size_t& num_cells, std::span<const std::string> names) {
  GamEffect effect;
  for (const std::uint32_t feature : features) effect.axes.push_back(axis_of(feature, trees));
  num_cells += effect.num_cells();
  if (num_cells > kMaxCells) {
    fail(ErrorKind::kInput, "the tables up to {} have {} cells, more than the {} supported",
         features.size() == 1 ? names[features[0]]
                              : fmt::format("{} x {}", names[features[0]], names[features[1]]),
         num_cells, kMaxCells);
  }
  effect.values.assign(effect.num_cells(), 0.0);
  TreeAdder adder(effect);
  for (const Tree* tree : trees) adder.add(*tree);
  return effect;
}

// The unit that weights of rows are added up in: exactly, so on any number of machines.
template <typename Data>
FixedPoint weight_units(const Data& data, const Context& context) {
  double greatest[] = {0};
  for (std::size_t r = 0; r < data.num_rows(); ++r) {
    greatest[0] = std::max(greatest[0], data.weight(r));
  }
  context.communicator->max(greatest);
  std::uint64_t num_rows = data.num_rows();
  context.communicator->sum({&num_rows, 1});
  return FixedPoint(greatest[0], num_rows);
}

// cell_of(effect, row): the cell a row falls into. Rows of all machines count.
template <typename Data, typename CellOf>
Gam weighted(const Gam& gam, const Data& data, const Context& context, const CellOf& cell_of) {
  if (data.num_features() < gam.num_features()) {
    fail(ErrorKind::kUsage, "data of {} features for a model of {}", data.num_features(),
         gam.num_features());
  }
  GamParts parts = gam.parts();
  const FixedPoint units = weight_units(data, context);
  std::vector<std::size_t> begins = {0};  // of effects among all cells
  for (const GamEffect& effect : parts.effects)
    begins.push_back(begins.back() + effect.num_cells());
  std::vector<std::int64_t> weights(begins.back());
  parallel_for(context, parts.effects.size(), 1, [&](std::size_t e, std::size_t) {
    context.check_stop();
    std::int64_t* own = weights.data() + begins[e];
    for (std::size_t r = 0; r < data.num_rows(); ++r) {
      own[cell_of(parts.effects[e], r)] += units.to_units(data.weight(r));
    }
  });
  context.communicator->sum(std::span(weights));
  for (std::size_t e = 0; e < parts.effects.size(); ++e) {
    parts.effects[e].weights.clear();
    for (std::size_t c = begins[e]; c < begins[e + 1]; ++c) {
      parts.effects[e].weights.push_back(units.to_real(weights[c]));
    }
  }
  return Gam(std::move(parts));
}

}  // namespace

Gam distil(const Forest& forest) {
  GamParts parts{.effects = {},
                 .num_features = forest.num_features(),
                 .feature_names = {forest.feature_names().begin(), forest.feature_names().end()},
                 .intercept = forest.base_score(),
                 .objective = forest.objective(),
                 .categories = forest.categories()};
  for (const Tree& tree : forest.trees()) {
    if (tree.nodes.empty()) parts.intercept += tree.leaf_values[0];
  }
  const std::vector<std::string> names = display_names(forest);
  std::size_t num_cells = 0;
  for (const auto& [features, trees] : trees_of_effects(forest)) {
    parts.effects.push_back(effect_of(features, trees, num_cells, names));
  }
  name_codes(parts, category_features(forest));
  return Gam(std::move(parts));
}

Gam with_weights(const Gam& gam, const Dataset& data, const Context& context) {
  return weighted(gam, data, context, [&](const GamEffect& effect, std::size_t row) {
    return effect.cell(data.row(row));
  });
}

Gam with_weights(const Gam& gam, const BinnedDataset& data, const Context& context) {
  return weighted(gam, data, context, [&](const GamEffect& effect, std::size_t row) {
    std::size_t cell = 0;
    for (const GamAxis& axis : effect.axes) {
      const std::size_t bin = data.column(axis.feature)[row];
      cell = cell * axis.num_cells() + axis.cell(value_of_bin(data.edges(), axis.feature, bin));
    }
    return cell;
  });
}

Gam centred(const Gam& gam) {
  GamParts parts = gam.parts();
  for (GamEffect& effect : parts.effects) {
    double sum = 0;
    double weight = 0;
    for (std::size_t c = 0; c < effect.weights.size(); ++c) {
      sum += effect.weights[c] * effect.values[c];
      weight += effect.weights[c];
    }
    if (!(weight > 0)) continue;
    const double mean = sum / weight;
    for (double& value : effect.values) value -= mean;
    parts.intercept += mean;
  }
  return Gam(std::move(parts));
}

bool knows_weights(const Gam& gam) {
  return std::ranges::none_of(gam.effects(),
                              [](const GamEffect& effect) { return effect.weights.empty(); });
}

Gam with_missing_weights(const Gam& gam, const Dataset& data, const Context& context) {
  if (knows_weights(gam)) return gam;
  GamParts parts = with_weights(gam, data, context).parts();
  for (std::size_t e = 0; e < parts.effects.size(); ++e) {
    const std::vector<double>& known = gam.effects()[e].weights;
    if (!known.empty()) parts.effects[e].weights = known;
  }
  return Gam(std::move(parts));
}

}  // namespace glassrank
