#include "glassrank/explain/masks/forest_perturbation.h"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "glassrank/base/buffer.h"
#include "glassrank/base/parallel.h"
#include "glassrank/explain/masks/branch_bits.h"
#include "glassrank/explain/masks/forest_table.h"
#include "glassrank/explain/masks/mask_columns.h"
#include "glassrank/explain/masks/mask_lanes.h"
#include "glassrank/explain/masks/mask_means.h"

namespace glassrank {
namespace {

// A few rows go through a few trees before the next ones: trees stay in the second-level cache for
// all of the rows, the sums of a row in the first for all of the trees.
constexpr std::size_t kRowsAtATime = 8;
constexpr std::size_t kLaneTrees = 32;
constexpr std::size_t kBlock = MaskColumns::kBlockWords * 64;

// Fewer references are faster one by one.
bool takes_all(std::size_t num_references) { return num_references >= 8; }

// What all documents share.
struct ForestReferences {
  ForestReferences(const Forest& forest, MatrixView<const float> rows, const Context& context)
      : size(rows.num_rows()),
        table(forest, size),
        bits(table, rows, takes_all(size) ? kReferenceWords : 1, context) {}

  std::size_t size;
  ForestTable table;
  BranchBits bits;
};

class ForestPerturbation final : public Perturbation {
 public:
  ForestPerturbation(std::shared_ptr<const ForestReferences> references,
                     MatrixView<const float> documents, const Context& context)
      : shared_(std::move(references)),
        num_documents_(documents.num_rows()),
        num_references_(shared_->size),
        table_(shared_->table),
        references_(shared_->bits),
        documents_(table_, documents, 1, context) {}

  std::size_t num_features() const override { return table_.forest.num_features(); }
  std::size_t num_documents() const override { return num_documents_; }
  std::size_t num_references() const override { return num_references_; }

  void scores(FeatureMasks masks, std::span<double> scores, const Context& context) const override {
    const std::vector<std::size_t> order = masks_in_order(masks);
    for (std::size_t begin = 0; begin < masks.num_rows(); begin += kBlock) {
      const std::size_t size = std::min(kBlock, masks.num_rows() - begin);
      const MaskColumns columns(masks, std::span(order).subspan(begin, size), num_features());
      score_block(columns, scores.subspan(begin * num_references_ * num_documents_), context);
    }
  }

  void mean_scores(FeatureMasks masks, std::span<double> means,
                   const Context& context) const override {
    if (!takes_all(num_references_)) return Perturbation::mean_scores(masks, means, context);
    const std::vector<std::size_t> order = masks_by_size(masks);
    for (std::size_t begin = 0; begin < masks.num_rows(); begin += kBlock) {
      const auto block = std::span(order).subspan(begin, std::min(kBlock, order.size() - begin));
      const MaskColumns columns(masks, block, num_features());
      for (std::size_t d = 0; d < num_documents_; ++d) {
        const std::vector<Fixed> sums = reference_sums(columns, d, context);
        for (std::size_t m = 0; m < block.size(); ++m) {
          means[block[m] * num_documents_ + d] = mean_of(sums[m]);
        }
      }
    }
  }

 private:
  std::unique_ptr<const Perturbation> change_documents(MatrixView<const float> documents,
                                                       const Context& context) const override {
    return std::make_unique<ForestPerturbation>(shared_, documents, context);
  }

  double mean_of(Fixed sum) const {
    const Fixed base = table_.base_score * num_references_;
    return table_.point.value(sum + base) / static_cast<double>(num_references_);
  }

  // Over all references.
  std::vector<Fixed> reference_sums(const MaskColumns& masks, std::size_t document,
                                    const Context& context) const {
    constexpr std::size_t kTreesAtOnce = 32;
    const std::vector<Fixed> nothing(masks.num_words() * 64);
    const auto map = [&](std::size_t begin, std::size_t end) {
      std::vector<Fixed> sums = nothing;
      MeanWorkspace workspace;
      for (std::size_t w = 0; w * 64 < num_references_; w += kReferenceWords) {
        add_means({.table = table_,
                   .document = {&documents_, document},
                   .references = references_,
                   .masks = masks,
                   .first_tree = begin,
                   .last_tree = end,
                   .first_reference_word = w,
                   .num_references = std::min(kReferenceWords * 64, num_references_ - w * 64)},
                  workspace, sums.data());
      }
      return sums;
    };
    return ordered_reduce(context, table_.trees().size(), kTreesAtOnce, nothing, map,
                          [](std::vector<Fixed>& total, std::vector<Fixed>&& part) {
                            for (std::size_t m = 0; m < total.size(); ++m) total[m] += part[m];
                          });
  }

  void score_block(const MaskColumns& masks, std::span<double> scores,
                   const Context& context) const {
    const std::size_t num_rows = num_references_ * num_documents_;
    parallel_for(context, num_rows, kRowsAtATime, [&](std::size_t begin, std::size_t end) {
      const std::size_t num_sums = masks.num_words() * 64;
      LaneWorkspace workspace(table_, masks);
      Buffer<Fixed> sums((end - begin) * num_sums);
      std::ranges::fill(sums.span(), table_.base_score);
      for (std::size_t t = 0; t < table_.trees().size(); t += kLaneTrees) {
        for (std::size_t r = begin; r < end; ++r) {
          add_forest(table_,
                     {.document = {&documents_, r % num_documents_},
                      .reference = {&references_, r / num_documents_},
                      .first_tree = t,
                      .last_tree = std::min(t + kLaneTrees, table_.trees().size())},
                     masks, workspace, sums.data() + (r - begin) * num_sums);
        }
      }
      for (std::size_t m = 0; m < masks.num_masks(); ++m) {
        for (std::size_t r = begin; r < end; ++r) {
          scores[m * num_rows + r] = table_.point.value(sums[(r - begin) * num_sums + m]);
        }
      }
    });
  }

  std::shared_ptr<const ForestReferences> shared_;
  std::size_t num_documents_;
  std::size_t num_references_;
  const ForestTable& table_;      // of shared_
  const BranchBits& references_;  // of shared_
  BranchBits documents_;
};

}  // namespace

std::unique_ptr<const Perturbation> make_forest_perturbation(const Forest& forest,
                                                             MatrixView<const float> documents,
                                                             MatrixView<const float> references,
                                                             const Context& context) {
  return std::make_unique<ForestPerturbation>(
      std::make_shared<const ForestReferences>(forest, references, context), documents, context);
}

}  // namespace glassrank
