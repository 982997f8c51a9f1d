#pragma once
// Samplers that thin out the negatives of every query by their current scores.
//
// Every document with a grade above negative_grade is kept; of the others those that
// pick_documents.h picks. With bottom = random = 0 this is SelGB (Lucchese et al., SIGIR 2018);
// with a bottom share High_Low_Sampl (Lucchese et al., SAC 2023); with random alone the baseline.
// A sample is drawn in rounds that are multiples of `every` and kept until the next one; the first
// `every` rounds, before which no score means anything, see every document. A query without
// positives keeps its share of negatives.
// Queries are sampled in parallel; draws are functions of seed, round and query.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/boosting/sampling/negative_counts.h"
#include "glassrank/boosting/sampling/sampling.h"

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

class NegativeSampling final : public Sampler {
 public:
  explicit NegativeSampling(const NegativeSamplingParams& params) : params_(params) {}
  void prepare(const BinnedDataset& data) override;
  // Throws Error{kInput} when not one document is left.
  bool select_documents(const SampleView& view, std::vector<std::uint32_t>& rows) override;
  bool is_kept(std::size_t round) const override;
  bool looks_at_metrics() const override { return params_.adaptive != AdaptiveStrategy::kNone; }

 private:
  NegativeSamplingParams params_;
  std::vector<std::uint32_t> positives_;  // their slots, query by query
  std::vector<std::size_t> begins_;       // of queries in positives_, and the end
};

}  // namespace glassrank
