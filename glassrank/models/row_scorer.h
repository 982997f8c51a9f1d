#pragma once
// The scorer of a kind of model whose own score(row) is fast enough: rows in parallel, one by one.
// Forests and tables have scorers with a plan (forest_scorer.h, gam_scorer.h); a weighted sum or a
// small network gains nothing by one.

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "glassrank/base/parallel.h"
#include "glassrank/models/scorer.h"

namespace glassrank {

template <typename Body>
class RowScorer final : public Scorer {
 public:
  explicit RowScorer(Body body) : body_(std::move(body)) {}

  std::size_t num_features() const override { return body_.num_features(); }
  std::span<const std::string> feature_names() const override { return body_.feature_names(); }
  std::vector<std::uint32_t> used_features() const override { return body_.used_features(); }

 private:
  void score_checked(MatrixView<const float> rows, std::span<double> scores,
                     const Context& context) const override {
    constexpr std::size_t kTaskRows = 1024;
    parallel_for(context, rows.num_rows(), kTaskRows, [&](std::size_t begin, std::size_t end) {
      context.check_stop();
      for (std::size_t r = begin; r < end; ++r) scores[r] = body_.score(rows.row(r));
    });
  }

  const Body body_;
};

}  // namespace glassrank
