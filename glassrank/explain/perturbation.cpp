#include "glassrank/explain/perturbation.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "glassrank/base/error.h"
#include "glassrank/explain/masks/additive_perturbation.h"
#include "glassrank/explain/masks/forest_perturbation.h"
#include "glassrank/models/model.h"

namespace glassrank {
namespace {

constexpr std::size_t kBatchRows = std::size_t{1} << 14;

class PlainPerturbation final : public Perturbation {
 public:
  PlainPerturbation(const Scorer& scorer, MatrixView<const float> documents,
                    MatrixView<const float> references)
      : scorer_(scorer), documents_(documents), references_(references) {}

  std::size_t num_features() const override { return scorer_.num_features(); }
  std::size_t num_documents() const override { return documents_.num_rows(); }
  std::size_t num_references() const override { return references_.num_rows(); }

  void scores(FeatureMasks masks, std::span<double> scores, const Context& context) const override {
    std::vector<float> rows(std::min(kBatchRows, scores.size()) * num_features());
    for (std::size_t begin = 0; begin < scores.size(); begin += kBatchRows) {
      const std::size_t size = std::min(kBatchRows, scores.size() - begin);
      for (std::size_t i = 0; i < size; ++i) make_row(masks, begin + i, &rows[i * num_features()]);
      scorer_.score({rows.data(), size, num_features()}, scores.subspan(begin, size), context);
    }
  }

 private:
  std::unique_ptr<const Perturbation> change_documents(MatrixView<const float> documents,
                                                       const Context& /*context*/) const override {
    return std::make_unique<PlainPerturbation>(scorer_, documents, references_);
  }

  // Row `number` in the order of scores(): document fastest, then reference, then mask.
  void make_row(FeatureMasks masks, std::size_t number, float* row) const {
    const auto document = documents_.row(number % num_documents());
    const auto reference = references_.row(number / num_documents() % num_references());
    const auto mask = masks.row(number / num_documents() / num_references());
    for (std::size_t f = 0; f < num_features(); ++f) {
      row[f] = mask[f] != 0 ? document[f] : reference[f];
    }
  }

  const Scorer& scorer_;
  MatrixView<const float> documents_;
  MatrixView<const float> references_;
};

void check_rows(MatrixView<const float> rows, std::string_view what, std::size_t num_features) {
  if (rows.num_rows() > 0 && rows.num_columns() >= num_features) return;
  fail(ErrorKind::kUsage, "{}: {} rows of {} features; at least one row of {} is needed", what,
       rows.num_rows(), rows.num_columns(), num_features);
}

}  // namespace

void Perturbation::mean_scores(FeatureMasks masks, std::span<double> means,
                               const Context& context) const {
  // As many masks at a time as make a batch of rows: one alone may be too few rows for two threads,
  // all of them too much memory.
  const std::size_t of_mask = num_references() * num_documents();
  const std::size_t at_once = std::max<std::size_t>(1, kBatchRows / of_mask);
  std::vector<double> each(std::min(at_once, masks.num_rows()) * of_mask);
  for (std::size_t first = 0; first < masks.num_rows(); first += at_once) {
    const std::size_t size = std::min(at_once, masks.num_rows() - first);
    scores({masks.row(first).data(), size, masks.num_columns()},
           std::span(each).first(size * of_mask), context);
    for (std::size_t i = 0; i < size * num_documents(); ++i) {
      const std::size_t m = i / num_documents();
      const std::size_t d = i % num_documents();
      double sum = 0;
      for (std::size_t b = 0; b < num_references(); ++b) {
        sum += each[(m * num_references() + b) * num_documents() + d];
      }
      means[(first + m) * num_documents() + d] = sum / static_cast<double>(num_references());
    }
  }
}

std::unique_ptr<const Perturbation> Perturbation::with_documents(MatrixView<const float> documents,
                                                                 const Context& context) const {
  check_rows(documents, "documents to explain", num_features());
  return change_documents(documents, context);
}

std::unique_ptr<const Perturbation> make_plain_perturbation(const Scorer& scorer,
                                                            MatrixView<const float> documents,
                                                            MatrixView<const float> references) {
  check_rows(documents, "documents to explain", scorer.num_features());
  check_rows(references, "reference rows", scorer.num_features());
  return std::make_unique<PlainPerturbation>(scorer, documents, references);
}

std::unique_ptr<const Perturbation> make_perturbation(const Subject& subject,
                                                      MatrixView<const float> documents,
                                                      MatrixView<const float> references,
                                                      const Context& context) {
  check_rows(documents, "documents to explain", subject.num_features());
  check_rows(references, "reference rows", subject.num_features());
  if (subject.model == nullptr) {
    return make_plain_perturbation(subject.scorer, documents, references);
  }
  return match(
      *subject.model,
      [&](const Forest& forest) {
        return make_forest_perturbation(forest, documents, references, context);
      },
      [&](const Gam& gam) { return make_additive_perturbation(gam, documents, references); },
      [&](const auto&) { return make_plain_perturbation(subject.scorer, documents, references); });
}

}  // namespace glassrank
