#pragma once
// What a model can depend on, proved from its file alone: a tree can tell two rows apart only by
// the features it splits on, a table only by its own.
//
// A model is additive when every tree uses at most two features. Heredity holds when every feature
// of a surface has a curve of its own. A feature that is not listed cannot influence a score.
// Of tables it is the values that count: one that holds the same value everywhere has no effect,
// and a surface that never changes with one of its features is a curve of the other. Trees count by
// the splits that are there, so that a listed feature of a forest might have no influence.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "glassrank/models/gam/monotone.h"
#include "glassrank/models/model.h"

namespace glassrank {

struct VerifiedEffect {
  std::vector<std::uint32_t> features;  // ascending
  std::size_t num_trees = 0;            // that use just these; 1 for a table
};

struct Verification {
  bool is_forest = false;
  std::size_t num_trees = 0;  // of a forest, those of one leaf included
  std::size_t num_features = 0;
  std::vector<VerifiedEffect> effects;  // with one or two features: curves first, by feature
  std::vector<std::vector<std::uint32_t>> constant;  // tables without effect: their features
  std::vector<std::uint32_t> without_power;          // features that cannot influence a score
  struct LargeTree {
    std::size_t tree = 0;
    std::vector<std::uint32_t> features;
  };
  std::vector<LargeTree> large_trees;  // with three features or more
  struct Orphan {
    std::vector<std::uint32_t> pair;
    std::vector<std::uint32_t> without_curve;
  };
  std::vector<Orphan> orphans;  // surfaces against heredity

  // Features that work together in a neural network; empty for other kinds.
  std::vector<std::uint32_t> joined;
  bool has_lines = false;  // effects are straight lines, not tables

  bool is_additive() const { return large_trees.empty() && joined.empty(); }
  bool has_heredity() const { return is_additive() && orphans.empty(); }
};

// Each kind of model has its own verify() (kind.h).
Verification verify(const Model& model);

// How scores change with a feature: of every one that has power, by feature.
struct VerifiedDirection {
  std::uint32_t feature = 0;
  Monotonicity change;  // of a line: its weight, as the feature grows by 1
  bool is_line = false;

  // "never falls", "never rises", "falls and rises".
  std::string_view text() const;
};
std::vector<VerifiedDirection> verify_directions(const Gam& gam);
std::vector<VerifiedDirection> verify_directions(const Linear& linear);
// Throws Error{kInput} for a model that is not additive.
std::vector<VerifiedDirection> verify_directions(const Model& model);
std::string directions_text(std::span<const VerifiedDirection> directions,
                            std::span<const std::string> names);

// For people; `names` has one name per feature.
std::string verification_text(const Verification& verification, std::span<const std::string> names);

}  // namespace glassrank
