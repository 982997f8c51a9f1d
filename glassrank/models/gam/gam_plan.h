#pragma once
// An additive model laid out for fast scoring; what gam_kernel.h reads.
//
// A column is a feature with the edges of all its effects, ascending; the code of a value is its
// cell among them, 16 bits. A curve's table has a value per code. A surface keeps its own edges: a
// map per axis brings the code to the axis' cell, times the row's length for the first axis, so
// that the sum of two map entries is the cell. Where cells fit 16 bits too, they are worked out
// for a block of rows beforehand, and a surface is looked up as a curve is. The others are wide.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "glassrank/data/bin_search.h"
#include "glassrank/models/gam/gam.h"

namespace glassrank {

struct GamColumn {
  static constexpr std::size_t kMaxTreeCuts = 255;

  std::uint32_t feature = 0;
  std::uint16_t missing_code = 0;  // the highest
  std::uint32_t num_levels = 0;    // of the search tree; 0: too many cuts for one, see `table`
  std::size_t search_tree = 0;     // where it starts in GamPlan::search_trees
  std::size_t table = 0;           // index into GamPlan::search_tables
};

struct GamLookup {
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  std::size_t columns[2] = {0, kNone};  // of the second feature: kNone for curves
  std::size_t maps[2] = {0, 0};         // of surfaces: where they start in maps or wide_maps
  std::size_t cells = kNone;            // of surfaces that are not wide: number among them
  std::size_t values = 0;               // where they start in GamPlan::values

  bool is_curve() const { return columns[1] == kNone; }
  bool is_wide() const { return !is_curve() && cells == kNone; }
};

struct GamPlan {
  // Maps with an entry for up to so many codes can be looked up in vector registers; they have
  // spare entries up to 64, 128, 256 or this number.
  static constexpr std::size_t kMaxVectorMap = 512;

  // False: more than 65,534 edges of one feature or 2^31 cells of a surface. Nothing else is
  // filled.
  bool fits = true;
  double intercept = 0;
  std::size_t num_features = 0;
  std::vector<GamColumn> columns;  // by feature
  // Breadth-first, the root at 1, as ScoringPlan::search_trees.
  std::vector<float> search_trees;
  std::vector<SearchTable> search_tables;
  std::vector<GamLookup> lookups;  // by effect
  std::size_t num_cell_columns = 0;
  std::vector<std::uint16_t> maps;
  std::vector<std::int32_t> wide_maps;
  std::vector<double> values;
};

// Entries of a map of so many codes, the spare ones among them.
std::size_t map_size(std::size_t num_codes);

GamPlan make_gam_plan(const Gam& gam);

}  // namespace glassrank
