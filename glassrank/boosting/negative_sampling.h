#pragma once
// Samplers that thin out the negatives of every query by their current scores.
//
// Every document with a grade above negative_grade is kept; of the others, in order of score (equal
// scores in input order), the first ones, the last ones, and some drawn from the rest, as many as
// negative_counts.h says. With bottom = random = 0 this is SelGB (Lucchese et al., SIGIR 2018);
// with a bottom share High_Low_Sampl (Lucchese et al., SAC 2023); with random alone the baseline.
// A sample is drawn in rounds that are multiples of `every` and kept until the next one; the first
// `every` rounds, before which no score means anything, see every document. A query without
// positives keeps its share of negatives.
// Cost: one pass over the scores of a query and a partial sort of the few it keeps, or a full sort
// if it keeps many; queries in parallel. Draws are functions of seed, round, query.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/base/random.h"
#include "glassrank/boosting/negative_counts.h"
#include "glassrank/boosting/sampling.h"

namespace glassrank {

struct NegativeSamplingParams {
  NegativeFactors factors;
  NegativeBase base = NegativeBase::kRatio;
  Rounding rounding = Rounding::kRound;
  std::size_t min_negatives = 0;
  double negative_grade = 0;
  std::size_t every = 1;
  AdaptiveStrategy adaptive = AdaptiveStrategy::kNone;
  std::size_t window = 100;
};

struct NegativeRule {
  CountRule count;
  NegativeBase base = NegativeBase::kRatio;
  double negative_grade = 0;
};

struct DocumentList {
  std::span<const float> grades;  // of one query
  std::span<const double> scores;
};

// Memory one thread reuses from query to query.
struct PickScratch {
  struct Candidate {
    double score;
    std::uint32_t slot;
  };
  std::vector<std::uint32_t> positives;
  std::vector<std::uint64_t> found;
  std::vector<Candidate> candidates;
  std::vector<std::uint32_t> picked;
  // For whole sorts.
  std::vector<std::uint8_t> kept;  // per slot
  std::vector<float> keys;
  std::vector<std::uint64_t> sorted;
  std::vector<std::uint32_t> order;
};

// The slots of one query's documents that stay, ascending; valid until scratch is used again.
std::span<const std::uint32_t> pick_documents(const NegativeRule& rule, const DocumentList& list,
                                              const CounterRandom& random, PickScratch& scratch);

class NegativeSampling final : public Sampler {
 public:
  explicit NegativeSampling(const NegativeSamplingParams& params) : params_(params) {}
  // Throws Error{kInput} when not one document is left.
  bool select_documents(const SampleView& view, std::vector<std::uint32_t>& rows) override;
  bool is_kept(std::size_t round) const override;
  bool looks_at_metrics() const override { return params_.adaptive != AdaptiveStrategy::kNone; }

 private:
  NegativeSamplingParams params_;
};

}  // namespace glassrank
