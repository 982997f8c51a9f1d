#include "glassrank/models/gam/gam_plan.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <set>

namespace glassrank {
namespace {

constexpr std::size_t kMaxCuts = 65'534;  // and the codes of what is above and of missing values

void append_search_tree(GamPlan& plan, GamColumn& column, const std::vector<float>& cuts) {
  column.num_levels = std::max(1U, static_cast<std::uint32_t>(std::bit_width(cuts.size())));
  column.search_tree = plan.search_trees.size();
  const std::size_t num_places = std::size_t{1} << column.num_levels;
  plan.search_trees.resize(column.search_tree + std::max<std::size_t>(16, num_places),
                           std::numeric_limits<float>::infinity());
  for (std::size_t level = 0; level < column.num_levels; ++level) {
    // The subtrees of this level cover `width` ranks each; their root is the middle one.
    const std::size_t width = num_places >> level;
    for (std::size_t i = 0; i < std::size_t{1} << level; ++i) {
      const std::size_t rank = i * width + width / 2 - 1;
      if (rank < cuts.size()) {
        plan.search_trees[column.search_tree + (std::size_t{1} << level) + i] = cuts[rank];
      }
    }
  }
}

// One value of every cell among `cuts`, as the axis sees it: its cell.
std::vector<std::size_t> cells_of_codes(const std::vector<float>& cuts, const GamAxis& axis) {
  std::vector<std::size_t> cells;
  for (const float cut : cuts) cells.push_back(axis.cell(cut));
  // Above the last cut, which is at least as high as the axis' own.
  cells.push_back(axis.edges.size());
  cells.push_back(axis.missing_cell());
  return cells;
}

class PlanMaker {
 public:
  explicit PlanMaker(const Gam& gam) : gam_(gam) {}

  GamPlan make() {
    for (const GamEffect& effect : gam_.effects()) {
      for (const GamAxis& axis : effect.axes) {
        cuts_[axis.feature].insert(axis.edges.begin(), axis.edges.end());
      }
      if (effect.num_cells() > std::numeric_limits<std::int32_t>::max()) plan_.fits = false;
    }
    for (const auto& [feature, cuts] : cuts_) plan_.fits = plan_.fits && cuts.size() <= kMaxCuts;
    plan_.intercept = gam_.intercept();
    plan_.num_features = gam_.num_features();
    if (!plan_.fits) return std::move(plan_);
    for (const auto& [feature, cuts] : cuts_) {
      add_column(feature, {cuts.begin(), cuts.end()});
    }
    for (const GamEffect& effect : gam_.effects()) add_lookup(effect);
    return std::move(plan_);
  }

 private:
  void add_column(std::uint32_t feature, std::vector<float> cuts) {
    GamColumn column{.feature = feature,
                     .missing_code = static_cast<std::uint16_t>(cuts.size() + 1)};
    if (cuts.size() <= GamColumn::kMaxTreeCuts) {
      append_search_tree(plan_, column, cuts);
    } else {
      column.table = plan_.search_tables.size();
      plan_.search_tables.emplace_back(cuts);
    }
    number_[feature] = plan_.columns.size();
    cuts_of_columns_.push_back(std::move(cuts));
    plan_.columns.push_back(column);
  }

  void add_lookup(const GamEffect& effect) {
    GamLookup lookup{.values = plan_.values.size()};
    lookup.columns[0] = number_[effect.axes[0].feature];
    if (!effect.is_pair()) {
      for (const std::size_t cell :
           cells_of_codes(cuts_of_columns_[lookup.columns[0]], effect.axes[0])) {
        plan_.values.push_back(effect.values[cell]);
      }
    } else {
      add_maps(effect, lookup);
      plan_.values.insert(plan_.values.end(), effect.values.begin(), effect.values.end());
    }
    plan_.lookups.push_back(lookup);
  }

  void add_maps(const GamEffect& effect, GamLookup& lookup) {
    constexpr std::size_t kCells = std::size_t{std::numeric_limits<std::uint16_t>::max()} + 1;
    if (effect.num_cells() <= kCells) lookup.cells = plan_.num_cell_columns++;
    lookup.columns[1] = number_[effect.axes[1].feature];
    for (std::size_t a = 0; a < 2; ++a) {
      std::vector<std::size_t> cells =
          cells_of_codes(cuts_of_columns_[lookup.columns[a]], effect.axes[a]);
      if (a == 0) {
        for (std::size_t& cell : cells) cell *= effect.axes[1].num_cells();
      }
      if (lookup.is_wide()) {
        lookup.maps[a] = plan_.wide_maps.size();
        plan_.wide_maps.insert(plan_.wide_maps.end(), cells.begin(), cells.end());
      } else {
        cells.resize(map_size(cells.size()), 0);
        lookup.maps[a] = plan_.maps.size();
        plan_.maps.insert(plan_.maps.end(), cells.begin(), cells.end());
      }
    }
  }

  const Gam& gam_;
  GamPlan plan_;
  std::map<std::uint32_t, std::set<float>> cuts_;  // by feature
  std::vector<std::vector<float>> cuts_of_columns_;
  std::map<std::uint32_t, std::size_t> number_;  // feature -> column
};

}  // namespace

std::size_t map_size(std::size_t num_codes) {
  if (num_codes > GamPlan::kMaxVectorMap) return num_codes;
  return std::max<std::size_t>(64, std::bit_ceil(num_codes));
}

GamPlan make_gam_plan(const Gam& gam) { return PlanMaker(gam).make(); }

}  // namespace glassrank
