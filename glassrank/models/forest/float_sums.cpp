#include "glassrank/models/forest/float_sums.h"

#include "glassrank/base/parallel.h"

namespace glassrank {
namespace {

constexpr std::size_t kChunkRows = 64;

class FloatSumScorer final : public Scorer {
 public:
  explicit FloatSumScorer(const Forest& forest) : forest_(forest) {}
  std::size_t num_features() const override { return forest_.num_features(); }
  std::span<const std::string> feature_names() const override { return forest_.feature_names(); }

 private:
  void score_checked(MatrixView<const float> rows, std::span<double> scores,
                     const Context& context) const override {
    parallel_for(context, rows.num_rows(), kChunkRows, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        auto sum = static_cast<float>(forest_.base_score());
        for (const Tree& tree : forest_.trees()) {
          sum += static_cast<float>(tree.leaf_values[leaf_of(tree, rows.row(i))]);
        }
        scores[i] = sum;
      }
    });
  }

  Forest forest_;
};

}  // namespace

std::unique_ptr<const Scorer> make_float_sum_scorer(const Forest& forest) {
  return std::make_unique<FloatSumScorer>(forest);
}

}  // namespace glassrank
