#pragma once
// Which documents of one query a sampler of negatives keeps.
//
// All positives; of the negatives in order of score (equal scores in input order) the first and the
// last ones, and some drawn from the rest, as many as negative_counts.h says.
// Cost: a long list of which few are kept is read once, with borders guessed from a few of its
// scores, and only what lies beyond them is partially sorted; otherwise borders are found by
// counting scores above guesses, about ten passes of vectors, and one more pass keeps what lies
// beyond them.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/base/random.h"
#include "glassrank/boosting/sampling/negative_counts.h"

namespace glassrank {

struct NegativeRule {
  CountRule count;
  NegativeBase base = NegativeBase::kRatio;
};

struct DocumentList {
  std::span<const std::uint32_t> positives;  // slots, ascending
  std::span<const double> scores;            // of every document
  std::size_t num_negatives() const { return scores.size() - positives.size(); }
};

// Memory one thread reuses from query to query.
struct PickScratch {
  struct Candidate {
    double score;
    std::uint32_t slot;
  };
  std::vector<std::uint32_t> picked;
  std::vector<std::uint64_t> found;
  std::vector<Candidate> tops;
  std::vector<Candidate> bottoms;
  std::vector<std::uint8_t> kept;  // per slot
  std::vector<double> negatives;
  std::vector<std::uint32_t> rest;
};

// The slots that stay, ascending; valid until scratch is used again, or the list goes.
std::span<const std::uint32_t> pick_documents(const NegativeRule& rule, const DocumentList& list,
                                              const CounterRandom& random, PickScratch& scratch);

}  // namespace glassrank
