#include "glassrank/explain/masks/additive_perturbation.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/base/buffer.h"
#include "glassrank/base/parallel.h"
#include "glassrank/explain/masks/additive_terms.h"
#include "glassrank/explain/masks/mask_columns.h"
#include "glassrank/explain/masks/mask_lanes.h"

namespace glassrank {
namespace {

// Masks of a block that know both features of each surface.
std::vector<std::uint64_t> surface_masks(const AdditiveTable& table, const MaskColumns& masks) {
  std::vector<std::uint64_t> both;
  both.reserve(table.surfaces().size() * masks.num_words());
  for (const auto& [f, g] : table.surfaces()) {
    for (std::size_t w = 0; w < masks.num_words(); ++w) {
      both.push_back(masks.knowing(f)[w] & masks.knowing(g)[w]);
    }
  }
  return both;
}

class AdditivePerturbation final : public Perturbation {
 public:
  AdditivePerturbation(const Gam& gam, MatrixView<const float> documents,
                       MatrixView<const float> references)
      : table_(gam, references.num_rows()),
        documents_(cells_of(documents)),
        references_(cells_of(references)) {}

  std::size_t num_features() const override { return table_.gam().num_features(); }
  std::size_t num_documents() const override { return documents_.size(); }
  std::size_t num_references() const override { return references_.size(); }

  void scores(FeatureMasks masks, std::span<double> scores, const Context& context) const override {
    const std::size_t num_documents = documents_.size();
    add_up(masks, scores, num_documents * references_.size(), 1, context,
           [&](std::size_t row, AdditiveTerms& terms) {
             table_.add_terms(documents_[row % num_documents], references_[row / num_documents],
                              terms);
           });
  }

  void mean_scores(FeatureMasks masks, std::span<double> means,
                   const Context& context) const override {
    add_up(masks, means, documents_.size(), references_.size(), context,
           [&](std::size_t document, AdditiveTerms& terms) {
             for (const auto& reference : references_) {
               table_.add_terms(documents_[document], reference, terms);
             }
           });
  }

 private:
  std::unique_ptr<const Perturbation> change_documents(MatrixView<const float> documents,
                                                       const Context& /*context*/) const override {
    auto changed = std::make_unique<AdditivePerturbation>(*this);
    changed->documents_ = cells_of(documents);
    return changed;
  }

  std::vector<std::vector<std::size_t>> cells_of(MatrixView<const float> rows) const {
    std::vector<std::vector<std::size_t>> cells;
    for (std::size_t r = 0; r < rows.num_rows(); ++r) cells.push_back(table_.cells_of(rows.row(r)));
    return cells;
  }

  // out[m * num_rows + row] = the sum of the row's terms that mask m knows, over `divisor`.
  template <typename TermsOf>
  void add_up(FeatureMasks masks, std::span<double> out, std::size_t num_rows, std::size_t divisor,
              const Context& context, const TermsOf& terms_of) const {
    constexpr std::size_t kBlock = MaskColumns::kBlockWords * 64;
    constexpr std::size_t kRowsAtATime = 4;
    const std::vector<std::size_t> order = masks_in_order(masks);
    for (std::size_t begin = 0; begin < masks.num_rows(); begin += kBlock) {
      const std::size_t size = std::min(kBlock, masks.num_rows() - begin);
      const MaskColumns columns(masks, std::span(order).subspan(begin, size), num_features());
      const std::vector<std::uint64_t> both = surface_masks(table_, columns);
      parallel_for(context, num_rows, kRowsAtATime, [&](std::size_t first, std::size_t last) {
        Buffer<Fixed> sums(columns.num_words() * 64);
        for (std::size_t row = first; row < last; ++row) {
          AdditiveTerms terms = table_.no_terms();
          terms_of(row, terms);
          std::ranges::fill(sums.span(), terms.constant);
          add_terms(masked_terms(terms, columns, both), columns.num_words(), sums.data());
          for (std::size_t m = 0; m < size; ++m) {
            out[(begin + m) * num_rows + row] =
                table_.point().value(sums[m]) / static_cast<double>(divisor);
          }
        }
      });
    }
  }

  std::vector<MaskedTerm> masked_terms(const AdditiveTerms& terms, const MaskColumns& masks,
                                       std::span<const std::uint64_t> both) const {
    std::vector<MaskedTerm> masked;
    for (std::size_t f = 0; f < terms.singles.size(); ++f) {
      if (terms.singles[f] != 0) masked.push_back({masks.knowing(f), terms.singles[f]});
    }
    for (std::size_t s = 0; s < terms.pairs.size(); ++s) {
      if (terms.pairs[s] == 0) continue;
      masked.push_back({both.data() + s * masks.num_words(), terms.pairs[s]});
    }
    return masked;
  }

  AdditiveTable table_;
  std::vector<std::vector<std::size_t>> documents_;   // cells
  std::vector<std::vector<std::size_t>> references_;  // cells
};

}  // namespace

std::unique_ptr<const Perturbation> make_additive_perturbation(const Gam& gam,
                                                               MatrixView<const float> documents,
                                                               MatrixView<const float> references) {
  return std::make_unique<AdditivePerturbation>(gam, documents, references);
}

}  // namespace glassrank
