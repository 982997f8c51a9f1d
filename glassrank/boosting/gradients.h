#pragma once
// Gradients of every row from an objective that sees one query at a time; queries in parallel.
//
// The first step of a round. An objective is a pure function of one query: threads, row weights and
// the lists that a sampler thins out are dealt with here, so that no objective has to.
// Scores, gradients and hessians must be finite, hessians not negative: sums and searches below
// rely on it. What is not is an error here, which names the document.

#include <cstdint>
#include <optional>
#include <span>

#include "glassrank/base/context.h"
#include "glassrank/data/binned_dataset.h"
#include "glassrank/objectives/objective.h"

namespace glassrank {

struct GradientTask {
  const BinnedDataset& data;
  const Objective& objective;
  std::span<const double> scores;
  std::size_t round = 0;
  // The documents that form the lists, ascending; none: all. Gradients of others are not written.
  std::optional<std::span<const std::uint32_t>> documents;
  const std::atomic<bool>* stop = nullptr;  // filled in from the context
};

// Overwrites `out`; row weights are applied. Cost: of the documents that take part. Throws
// Error{kInput} on every machine if a number of one is not finite, and Error{kInterrupted} in the
// middle of a long query, where the program works alone.
void compute_gradients(GradientTask task, GradientView out, const Context& context);

}  // namespace glassrank
