#include "glassrank/boosting/sampling/negative_sampling.h"

#include <algorithm>

#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"
#include "glassrank/boosting/sampling/pick_documents.h"
#include "glassrank/data/relevance.h"

namespace glassrank {
namespace {

constexpr std::size_t kChunkQueries = 16;

}  // namespace

void NegativeSampling::prepare(const BinnedDataset& data) {
  positives_.clear();
  begins_.assign(1, 0);
  for (std::size_t q = 0; q < data.num_queries(); ++q) {
    const RowRange range = data.queries().rows(q);
    for (std::size_t r = range.begin; r < range.end; ++r) {
      if (is_relevant(data.grades()[r], params_.negative_grade)) {
        positives_.push_back(static_cast<std::uint32_t>(r - range.begin));
      }
    }
    begins_.push_back(positives_.size());
  }
}

bool NegativeSampling::is_kept(std::size_t round) const {
  return params_.every > 1 && round % params_.every == 0;
}

bool NegativeSampling::select_documents(const SampleView& view, std::vector<std::uint32_t>& rows) {
  if (view.round < params_.every) return false;
  if (view.round % params_.every != 0) return true;  // as before
  const double better = better_share(view.better_rounds, params_.window);
  const NegativeRule rule{.count = {.factors = adapt(params_.factors, params_.adaptive, better),
                                    .rounding = params_.rounding,
                                    .min_negatives = params_.min_negatives},
                          .base = params_.base};
  const QueryGroups& queries = view.data.queries();
  std::vector<std::vector<std::uint32_t>> parts((queries.num_queries() + kChunkQueries - 1) /
                                                kChunkQueries);
  const auto select = [&](std::size_t begin, std::size_t end) {
    std::vector<std::uint32_t>& part = parts[begin / kChunkQueries];
    part.reserve(queries.rows(end - 1).end - queries.rows(begin).begin);
    PickScratch scratch;
    for (std::size_t q = begin; q < end; ++q) {
      const RowRange range = queries.rows(q);
      const DocumentList list{
          .positives = std::span(positives_).subspan(begins_[q], begins_[q + 1] - begins_[q]),
          .scores = view.scores.subspan(range.begin, range.size())};
      // Rounds and queries are each below 2^32.
      const CounterRandom random(view.context.seed, "random_negatives",
                                 view.round << 32 | (view.shard.first_query + q));
      const auto first = static_cast<std::uint32_t>(range.begin);
      const auto picked = pick_documents(rule, list, random, scratch);
      const std::size_t size = part.size();
      part.resize(size + picked.size());
      std::ranges::transform(picked, part.begin() + static_cast<std::ptrdiff_t>(size),
                             [first](std::uint32_t slot) { return first + slot; });
    }
  };
  parallel_for(view.context, queries.num_queries(), kChunkQueries, select);
  rows.clear();
  rows.reserve(view.data.num_rows());
  for (const auto& part : parts) rows.insert(rows.end(), part.begin(), part.end());
  std::uint64_t count = rows.size();
  view.context.communicator->sum({&count, 1});
  if (count == 0) {
    fail(ErrorKind::kInput,
         "sampling leaves no document: no grade is above {}, and no query has enough others; raise "
         "sample.top or set sample.min_negatives",
         params_.negative_grade);
  }
  return true;
}

}  // namespace glassrank
