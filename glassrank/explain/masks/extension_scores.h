#pragma once
// Scores of a query's documents with S + f known, for many features f: the question that greedy
// selection asks in every step. What is not known has the values of one typical row.
//
// Forests answer by flip events (flip_events.h), everything else by masked scoring of one mask per
// feature.

#include <cstdint>
#include <memory>
#include <span>

#include "glassrank/base/context.h"
#include "glassrank/base/matrix_view.h"
#include "glassrank/explain/subject.h"

namespace glassrank {

class ExtensionScores {
 public:
  virtual ~ExtensionScores() = default;
  // scores[i * documents + d] = score of document d with `known` and candidates[i] known. Not from
  // several threads at once.
  virtual void extend(std::span<const std::uint32_t> known,
                      std::span<const std::uint32_t> candidates, std::span<double> scores,
                      const Context& context) = 0;
};

// Documents and the typical row are borrowed.
std::unique_ptr<ExtensionScores> make_extension_scores(const Subject& subject,
                                                       MatrixView<const float> documents,
                                                       std::span<const float> typical,
                                                       const Context& context);
// The way for any ranker.
std::unique_ptr<ExtensionScores> make_masked_extension_scores(const Subject& subject,
                                                              MatrixView<const float> documents,
                                                              std::span<const float> typical,
                                                              const Context& context);

}  // namespace glassrank
