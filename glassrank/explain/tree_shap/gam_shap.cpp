#include "glassrank/explain/tree_shap/gam_shap.h"

#include <algorithm>
#include <numeric>

#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"
#include "glassrank/explain/tree_shap/interventional_shap.h"

namespace glassrank {
namespace {

constexpr std::size_t kChunkRows = 256;

// Scaled to a sum of 1.
std::vector<double> shares_of(std::span<const double> weights) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<double> shares(weights.begin(), weights.end());
  for (double& share : shares) share /= sum;
  return shares;
}

std::vector<double> training_shares(const Gam& gam, std::size_t effect) {
  const std::vector<double>& weights = gam.effects()[effect].weights;
  if (std::ranges::none_of(weights, [](double weight) { return weight > 0; })) {
    fail(ErrorKind::kInput,
         "effect {}: {}, so values with respect to the training data cannot be told; ask for "
         "interventional values with background rows",
         gam.effect_name(effect),
         weights.empty() ? "the model does not know the weights of its cells"
                         : "the weights of all its cells are 0");
  }
  return shares_of(weights);
}

std::vector<double> background_shares(const GamEffect& effect, MatrixView<const float> rows) {
  std::vector<double> counts(effect.num_cells());
  for (std::size_t r = 0; r < rows.num_rows(); ++r) ++counts[effect.cell(rows.row(r))];
  return shares_of(counts);
}

FeaturePair pair_of(const GamEffect& effect) {
  return {.first = effect.axes[0].feature, .second = effect.axes[1].feature};
}

}  // namespace

GamShap::GamShap(const Gam& gam) : gam_(gam), base_value_(gam.intercept()) {
  for (std::size_t e = 0; e < gam.effects().size(); ++e) {
    const GamEffect& effect = gam.effects()[e];
    const std::vector<double> shares = training_shares(gam, e);
    effect.is_pair() ? add_surface(effect, shares) : add_curve(effect, shares);
  }
  place_pairs();
}

GamShap::GamShap(const Gam& gam, MatrixView<const float> background)
    : gam_(gam), base_value_(gam.intercept()) {
  check_background(background, gam.num_features());
  for (const GamEffect& effect : gam.effects()) {
    const std::vector<double> shares = background_shares(effect, background);
    effect.is_pair() ? add_surface(effect, shares) : add_curve(effect, shares);
  }
  place_pairs();
}

void GamShap::add_curve(const GamEffect& effect, std::span<const double> weights) {
  const double mean =
      std::inner_product(weights.begin(), weights.end(), effect.values.begin(), 0.0);
  base_value_ += mean;
  Table table;
  for (const double value : effect.values) table.values[0].push_back(value - mean);
  tables_.push_back(std::move(table));
}

void GamShap::add_surface(const GamEffect& effect, std::span<const double> weights) {
  const std::size_t num_first = effect.axes[0].num_cells();
  const std::size_t num_second = effect.axes[1].num_cells();
  std::vector<double> weight_first(num_first);
  std::vector<double> weight_second(num_second);
  for (std::size_t c = 0; c < weights.size(); ++c) {
    weight_first[c / num_second] += weights[c];
    weight_second[c % num_second] += weights[c];
  }
  std::vector<double> v_first(num_first);
  std::vector<double> v_second(num_second);
  double v_none = 0;
  for (std::size_t c = 0; c < weights.size(); ++c) {
    v_first[c / num_second] += weight_second[c % num_second] * effect.values[c];
    v_second[c % num_second] += weight_first[c / num_second] * effect.values[c];
    v_none += weights[c] * effect.values[c];
  }
  base_value_ += v_none;
  Table table;
  for (std::size_t c = 0; c < weights.size(); ++c) {
    const double first = v_first[c / num_second];
    const double second = v_second[c % num_second];
    const double both = effect.values[c];
    table.values[0].push_back(((first - v_none) + (both - second)) / 2);
    table.values[1].push_back(((second - v_none) + (both - first)) / 2);
    table.interactions.push_back((both - first) - (second - v_none));
  }
  tables_.push_back(std::move(table));
}

void GamShap::place_pairs() {
  for (const GamEffect& effect : gam_.effects()) {
    if (effect.is_pair()) pairs_.push_back(pair_of(effect));
  }
  std::ranges::sort(pairs_);
  for (std::size_t e = 0; e < tables_.size(); ++e) {
    if (!gam_.effects()[e].is_pair()) continue;
    const auto found = std::ranges::lower_bound(pairs_, pair_of(gam_.effects()[e]));
    tables_[e].pair = static_cast<std::size_t>(found - pairs_.begin());
  }
}

void GamShap::values_checked(MatrixView<const float> rows, MatrixView<double> values,
                             const Context& context) const {
  interactions_checked(rows, values, {}, context);
}

// With no columns in `interactions`, values alone.
void GamShap::interactions_checked(MatrixView<const float> rows, MatrixView<double> values,
                                   MatrixView<double> interactions, const Context& context) const {
  const std::span<const GamEffect> effects = gam_.effects();
  parallel_for(context, rows.num_rows(), kChunkRows, [&](std::size_t begin, std::size_t end) {
    context.check_stop();
    for (std::size_t r = begin; r < end; ++r) {
      const std::span<double> row = values.row(r);
      std::ranges::fill(row, 0.0);
      for (std::size_t e = 0; e < effects.size(); ++e) {
        const std::size_t cell = effects[e].cell(rows.row(r));
        for (std::size_t a = 0; a < effects[e].axes.size(); ++a) {
          row[effects[e].axes[a].feature] += tables_[e].values[a][cell];
        }
        if (interactions.num_columns() == 0 || !effects[e].is_pair()) continue;
        interactions(r, tables_[e].pair) = tables_[e].interactions[cell];
      }
    }
  });
}

}  // namespace glassrank
