#pragma once
// Which rows take part in a round. Scores of all rows are updated every round whatever is sampled.
//
// A sampler may act at two places: before the gradients, choosing the documents that form a
// query's list (lambdas and ranks see only those), and after them, choosing among rows whose
// gradients are known and rescaling those. Both are pure functions of what they are shown: a
// resumed run asks again and gets the same rows. A sample that several rounds share is a function
// of the round that drew it; is_kept() has a resumed run draw it again.
//   RowBagging, QueryBagging: a share of rows or whole queries, drawn anew every `every` rounds.
//   Goss (Ke et al. 2017): the share `top` of rows with the largest |gradient * hessian|, and the
//   share `other` of all rows drawn from the rest, these scaled by (1 - top) / other.
//   NegativeSampling, by score within queries: negative_sampling.h.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/data/binned_dataset.h"
#include "glassrank/data/shard.h"
#include "glassrank/objectives/objective.h"

namespace glassrank {

struct SampleView {
  std::size_t round = 0;
  const BinnedDataset& data;
  std::span<const double> scores;
  const Context& context;
  // 1 for every round of this run so far whose metric was better than all before it.
  std::span<const std::uint8_t> better_rounds = {};
  Shard shard = {};  // chance goes by the numbers of all machines
};

class Sampler {
 public:
  virtual ~Sampler() = default;
  // Called once per run, before the first round.
  virtual void prepare(const BinnedDataset& /*data*/) {}
  // Fills `rows` (ascending) and returns true, or returns false: every document. `rows` comes with
  // the selection of the round before, or of the last round that is_kept().
  virtual bool select_documents(const SampleView& view, std::vector<std::uint32_t>& rows);
  // The same for rows with gradients, which it may scale.
  virtual bool select_rows(const SampleView& view, GradientView gradients,
                           std::vector<std::uint32_t>& rows);
  // Whether later rounds go on with what select_documents() chooses in this one: it is then asked
  // in replayed rounds too.
  virtual bool is_kept(std::size_t /*round*/) const { return false; }
  // Whether it needs better_rounds.
  virtual bool looks_at_metrics() const { return false; }
};

struct BaggingParams {
  double fraction = 0.8;
  int every = 1;
};

class RowBagging final : public Sampler {
 public:
  explicit RowBagging(BaggingParams params) : params_(params) {}
  bool select_rows(const SampleView& view, GradientView gradients,
                   std::vector<std::uint32_t>& rows) override;

 private:
  BaggingParams params_;
};

class QueryBagging final : public Sampler {
 public:
  explicit QueryBagging(BaggingParams params) : params_(params) {}
  bool select_documents(const SampleView& view, std::vector<std::uint32_t>& rows) override;

 private:
  BaggingParams params_;
};

struct GossParams {
  double top = 0.2;
  double other = 0.1;
};

class Goss final : public Sampler {
 public:
  explicit Goss(GossParams params) : params_(params) {}
  bool select_rows(const SampleView& view, GradientView gradients,
                   std::vector<std::uint32_t>& rows) override;

 private:
  GossParams params_;
};

}  // namespace glassrank
