#pragma once
// A sum of regression trees: what LambdaMART and its kin produce. Immutable; copies share the
// trees.
//
//   score(x) = base_score + sum over trees, in order, of the leaf value x falls into   (in double)
//
// The order of the sum is part of the definition: every fast scorer must give the same bits.
// Training grows trees on bins (boosting/tree/binned_tree.h) and hands over finished ones; models
// of other programs are brought to the same trees when they are read (tree.h). Scoring, Shapley
// values and conversion therefore know one kind of forest, whoever made it.

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "glassrank/data/category_names.h"
#include "glassrank/models/forest/tree.h"
#include "glassrank/models/kind.h"

namespace glassrank {

struct ForestParts {
  std::vector<Tree> trees;
  std::size_t num_features = 0;
  std::vector<std::string> feature_names;  // empty, or one per feature
  double base_score = 0;
  std::string objective;  // as named by whoever trained it; may be empty
  // What the codes of features that are categories stand for: empty, or a list per feature, empty
  // where values are numbers or codes without names.
  CategoryNames categories = {};
};

class Forest {
 public:
  static constexpr std::string_view kKind = "forest";
  static constexpr std::string_view kParts = "trees";
  static constexpr std::string_view kNative = "forest";
  static constexpr bool kHasSteps = true;

  // No tree: every score is 0.
  Forest();
  // Throws Error{kInput} naming tree and node when a tree is not one (see tree.h: validate).
  explicit Forest(ForestParts parts);

  std::span<const Tree> trees() const { return parts_->trees; }
  std::size_t num_parts() const { return parts_->trees.size(); }
  std::size_t num_features() const { return parts_->num_features; }
  std::span<const std::string> feature_names() const { return parts_->feature_names; }
  double base_score() const { return parts_->base_score; }
  const std::string& objective() const { return parts_->objective; }
  const CategoryNames& categories() const { return parts_->categories; }
  // By plain traversal: the oracle of the fast scorers.
  double score(std::span<const float> row) const;
  // The first `num_trees` trees (early stopping, learning curves).
  Forest first_trees(std::size_t num_trees) const;

 private:
  std::shared_ptr<const ForestParts> parts_;
};

// As every kind of model (kind.h).
Verification verify(const Forest& forest);
Forest mean_of(std::span<const Forest> bags);
void write_native_body(std::string& out, const Forest& forest);
void read_native_body(NativeReader& reader, Forest& forest);
std::unique_ptr<KindReport> report_of(const Forest& forest, const ReportRequest& request,
                                      const Context& context);

}  // namespace glassrank
