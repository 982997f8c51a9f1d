#pragma once
// What verify_gam.h proves, with the features' names: the result of `inspect --verify`.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "glassrank/base/result.h"
#include "glassrank/models/gam/verify_gam.h"

namespace glassrank {

// Features that go together, and what is known of them.
struct VerifiedFeatures {
  std::vector<std::string> features;
  std::optional<std::size_t> num_trees;                   // of an effect of a forest
  std::optional<std::size_t> tree;                        // of a tree with too many features
  std::optional<std::vector<std::string>> without_curve;  // of a surface against heredity

  void visit(ResultVisitor& visitor) const;
};

// How scores change as a feature grows, between neighbouring cells.
struct ReportedDirection {
  std::string feature;
  std::string direction;
  double largest_fall = 0;
  std::optional<double> fall_edge;
  double largest_rise = 0;
  std::optional<double> rise_edge;

  void visit(ResultVisitor& visitor) const;
};

struct VerificationReport {
  std::string model;
  bool is_additive = false;
  bool has_heredity = false;
  std::size_t num_features = 0;
  std::optional<std::size_t> num_trees;
  std::vector<std::string> no_power;
  std::vector<VerifiedFeatures> effects;
  std::vector<VerifiedFeatures> constant;
  std::vector<VerifiedFeatures> large_trees;
  std::vector<VerifiedFeatures> orphans;
  std::vector<ReportedDirection> directions;  // of additive models

  void visit(ResultVisitor& visitor) const;
};

// `names` has one name per feature.
VerificationReport verification_report(const std::string& model, const Verification& found,
                                       std::span<const VerifiedDirection> directions,
                                       std::span<const std::string> names);
// The same of a model of any kind, with its own names.
VerificationReport verification_report(const std::string& name, const Model& model);

}  // namespace glassrank
