#pragma once
// Isolation forest (Liu, Ting and Zhou 2008): how odd a row is, from its features alone.
//
// Every tree splits its own random sample of rows at random (isolation_tree.h). Odd rows are alone
// after few splits, so with h the path length and psi the rows of a sample
//   score = 2^(-mean h / c(psi)),  in (0, 1): near 1 odd, well below 0.5 ordinary.
// One forest over all rows whatever their query or grade; grades are not looked at. Missing values
// follow the larger side of a split; features that are constant are never drawn. Data in which no
// two rows differ score 0.5.
// The same seed gives the same scores for any number of threads: trees have their own draws, and a
// row's path lengths are added in the order of trees.
// Cost: trees * sample * features to grow; to score, trees * height per row, about 10 ns a tree.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/matrix_view.h"
#include "glassrank/data/shard.h"
#include "glassrank/methods/cleaners/isolation_tree.h"

namespace glassrank {

struct IsolationForestParams {
  int num_trees = 100;
  int sample_rows = 256;  // drawn without replacement; every row if there are fewer
  int height = 0;         // 0: log2 of the sample's rows, rounded up (8 for 256)
};

class IsolationForest {
 public:
  // The seed is the context's. Throws Error{kInput} without rows or features, Error{kUsage} for
  // parameters below 1.
  IsolationForest(MatrixView<const float> rows, const IsolationForestParams& params,
                  const Context& context);
  // On the rows of all machines, of which this one has some. Collective.
  IsolationForest(MatrixView<const float> rows, const Shard& shard,
                  const IsolationForestParams& params, const Context& context);
  // Of trees grown elsewhere, on samples of `sample_rows` rows.
  IsolationForest(std::vector<IsolationTree> trees, std::size_t sample_rows);

  // One per row. `rows` has as many features as the forest was grown on.
  std::vector<float> scores(MatrixView<const float> rows, const Context& context) const;
  // The same from the definition, one row at a time: the oracle of the fast one.
  double score(std::span<const float> row) const;

  std::span<const IsolationTree> trees() const { return trees_; }

 private:
  std::vector<IsolationTree> trees_;
  double normal_path_ = 1;  // c(psi)
};

// Which rows are too odd: score above `threshold` or, with a contamination above 0, the
// round(contamination * rows) rows with the highest scores, of equal ones the first. Ascending.
struct AnomalyRule {
  double threshold = 0.5;
  double contamination = 0;
};
std::vector<std::uint32_t> anomalous_rows(std::span<const float> scores, const AnomalyRule& rule);

}  // namespace glassrank
