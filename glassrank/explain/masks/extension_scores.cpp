#include "glassrank/explain/masks/extension_scores.h"

#include <cstddef>
#include <vector>

#include "glassrank/explain/masks/flip_events.h"
#include "glassrank/explain/masks/forest_table.h"
#include "glassrank/explain/perturbation.h"
#include "glassrank/models/model.h"

namespace glassrank {
namespace {

class ForestExtensions final : public ExtensionScores {
 public:
  ForestExtensions(const Forest& forest, MatrixView<const float> documents,
                   std::span<const float> typical, const Context& context)
      : table_(forest, 1),
        events_(table_, documents, typical, context),
        sums_(forest.num_features() * documents.num_rows()) {}

  void extend(std::span<const std::uint32_t> known, std::span<const std::uint32_t> candidates,
              std::span<double> scores, const Context& context) override {
    events_.extend(known, sums_, context);
    const std::size_t num_documents = events_.num_documents();
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      for (std::size_t d = 0; d < num_documents; ++d) {
        scores[i * num_documents + d] =
            table_.point.value(sums_[candidates[i] * num_documents + d]);
      }
    }
  }

 private:
  ForestTable table_;
  FlipEvents events_;
  std::vector<Fixed> sums_;
};

class MaskedExtensions final : public ExtensionScores {
 public:
  explicit MaskedExtensions(std::unique_ptr<const Perturbation> perturbation)
      : perturbation_(std::move(perturbation)) {}

  void extend(std::span<const std::uint32_t> known, std::span<const std::uint32_t> candidates,
              std::span<double> scores, const Context& context) override {
    const std::size_t num_features = perturbation_->num_features();
    masks_.assign(candidates.size() * num_features, 0);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      std::uint8_t* const mask = masks_.data() + i * num_features;
      for (const std::uint32_t f : known) mask[f] = 1;
      mask[candidates[i]] = 1;
    }
    perturbation_->scores({masks_.data(), candidates.size(), num_features}, scores, context);
  }

 private:
  std::unique_ptr<const Perturbation> perturbation_;
  std::vector<std::uint8_t> masks_;
};

}  // namespace

std::unique_ptr<ExtensionScores> make_masked_extension_scores(const Subject& subject,
                                                              MatrixView<const float> documents,
                                                              std::span<const float> typical,
                                                              const Context& context) {
  return std::make_unique<MaskedExtensions>(
      make_perturbation(subject, documents, {typical.data(), 1, typical.size()}, context));
}

std::unique_ptr<ExtensionScores> make_extension_scores(const Subject& subject,
                                                       MatrixView<const float> documents,
                                                       std::span<const float> typical,
                                                       const Context& context) {
  const auto masked = [&] {
    return make_masked_extension_scores(subject, documents, typical, context);
  };
  if (subject.model == nullptr) return masked();
  return match(
      *subject.model,
      [&](const Forest& forest) -> std::unique_ptr<ExtensionScores> {
        return std::make_unique<ForestExtensions>(forest, documents, typical, context);
      },
      [&](const auto&) { return masked(); });
}

}  // namespace glassrank
