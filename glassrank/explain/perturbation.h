#pragma once
// Scores of documents of which only some features are known: the question every model-agnostic
// explainer asks, again and again.
//
//   score(d, S, b) = score of the row that has document d's values on the features of S and
//                    reference row b's values elsewhere
//
// A Perturbation is made for the documents of one query (or one document) and some reference rows.
// Any scorer can be asked, with batches of whole rows. Forests and additive models answer without
// making rows, several hundred times as fast. Answers agree with the plain way to the rounding of a
// sum, and exactly among documents: where two masked rows end in the same leaves of every tree,
// their scores are equal bits, so true ties stay ties.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "glassrank/base/context.h"
#include "glassrank/base/matrix_view.h"
#include "glassrank/explain/subject.h"

namespace glassrank {

// One row per mask, one byte per feature: 1, the document's value is known; 0, it is not.
using FeatureMasks = MatrixView<const std::uint8_t>;

class Perturbation {
 public:
  virtual ~Perturbation() = default;
  virtual std::size_t num_features() const = 0;
  virtual std::size_t num_documents() const = 0;
  virtual std::size_t num_references() const = 0;

  // scores[(m * num_references + b) * num_documents + d] = score(d, mask m, b)
  virtual void scores(FeatureMasks masks, std::span<double> scores,
                      const Context& context) const = 0;
  // means[m * num_documents + d] = mean over b of score(d, mask m, b)
  virtual void mean_scores(FeatureMasks masks, std::span<double> means,
                           const Context& context) const;

  // The same references with other documents. What depends on the references alone is not made
  // again.
  std::unique_ptr<const Perturbation> with_documents(MatrixView<const float> documents,
                                                     const Context& context) const;

 private:
  virtual std::unique_ptr<const Perturbation> change_documents(MatrixView<const float> documents,
                                                               const Context& context) const = 0;
};

// The fastest way there is for the subject's ranker. `documents` and `references` are borrowed.
std::unique_ptr<const Perturbation> make_perturbation(const Subject& subject,
                                                      MatrixView<const float> documents,
                                                      MatrixView<const float> references,
                                                      const Context& context);

// The plain way, for any scorer: rows are made and scored in batches. The oracle of the others.
std::unique_ptr<const Perturbation> make_plain_perturbation(const Scorer& scorer,
                                                            MatrixView<const float> documents,
                                                            MatrixView<const float> references);

}  // namespace glassrank
