#include "glassrank/explain/greedy/terms_search.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "glassrank/base/buffer.h"
#include "glassrank/base/parallel.h"
#include "glassrank/explain/greedy/kept_pairs_kernel.h"

namespace glassrank {
namespace {

constexpr std::size_t kMaxTermBytes = std::size_t{1} << 26;

BestSet better_of(BestSet a, const BestSet& b) {
  if (!b.set.empty()) a.offer(b.value, b.set);
  return a;
}

// Sets that share all but their smallest feature: a run. The scores of all documents with each of
// them stand side by side.
class RunScores {
 public:
  RunScores(const BestSubsetTask& task, std::span<const SubsetTerms> terms, FixedPoint point)
      : task_(task),
        terms_(terms),
        point_(point),
        scores_(terms.size() * padded(task.candidates.size())),
        kept_(padded(task.candidates.size())) {}

  // `rest` are the other features, ascending; the smallest is any below them.
  void offer_all(std::span<const std::uint32_t> rest, BestSet& best) {
    const std::size_t size = rest.empty() ? task_.candidates.size() : rest.front();
    if (size == 0) return;
    fill(rest, size);
    const std::size_t stride = padded(size);
    if (!task_.agreement) count_kept_pairs(task_.pairs, scores_.data(), stride, kept_.data());
    std::vector<double> list(terms_.size());
    for (std::size_t a = 0; a < size; ++a) {
      double value = 0;
      if (task_.agreement) {
        for (std::size_t d = 0; d < list.size(); ++d) {
          list[d] = point_.value(scores_[d * stride + a]);
        }
        value = task_.agreement(list);
      } else {
        value = static_cast<double>(kept_[a]);
      }
      // Making the set costs more than most sets are worth.
      if (!best.set.empty() && value < best.value) continue;
      std::vector<std::uint32_t> set = {static_cast<std::uint32_t>(a)};
      set.insert(set.end(), rest.begin(), rest.end());
      best.offer(value, std::move(set));
    }
  }

 private:
  static std::size_t padded(std::size_t size) {
    return (size + kListMultiple - 1) / kListMultiple * kListMultiple;
  }

  void fill(std::span<const std::uint32_t> rest, std::size_t size) {
    const std::size_t stride = padded(size);
    for (std::size_t d = 0; d < terms_.size(); ++d) {
      const SubsetTerms& terms = terms_[d];
      Fixed* const to = scores_.data() + d * stride;
      Fixed shared = terms.none;
      for (const std::uint32_t f : rest) shared += terms.singles[f];
      for (std::size_t a = 0; a < size; ++a) to[a] = shared + terms.singles[a];
      std::fill(to + size, to + stride, 0);
      for (const std::uint32_t f : rest) {
        const Fixed* const pairs = terms.pairs.data() + pairs_below(f);
        for (std::size_t a = 0; a < size; ++a) to[a] += pairs[a];
      }
      if (rest.size() < 2) continue;
      const std::size_t b = rest[0];
      const std::size_t c = rest[1];
      const Fixed both = terms.pairs[pairs_below(c) + b];
      const Fixed* const triples = terms.triples.data() + triples_below(c) -
                                   triples_below(terms.first_largest) + pairs_below(b);
      for (std::size_t a = 0; a < size; ++a) to[a] += both + triples[a];
    }
  }

  const BestSubsetTask& task_;
  std::span<const SubsetTerms> terms_;
  FixedPoint point_;
  Buffer<Fixed> scores_;  // by document, then by the smallest feature
  Buffer<std::int64_t> kept_;
};

// All sets whose largest feature is in the terms' range.
BestSet best_of_terms(const BestSubsetTask& task, std::span<const SubsetTerms> terms,
                      FixedPoint point, const Context& context) {
  const std::size_t first = terms.front().first_largest;
  const std::size_t last = terms.front().last_largest;
  const auto map = [&](std::size_t begin, std::size_t end) {
    BestSet best;
    RunScores run(task, terms, point);
    for (std::size_t i = begin; i < end; ++i) {
      const auto c = static_cast<std::uint32_t>(first + i);
      if (task.k == 1) {
        run.offer_all({}, best);
      } else if (task.k == 2) {
        run.offer_all({{c}}, best);
      } else {
        for (std::uint32_t b = 0; b < c; ++b) run.offer_all({{b, c}}, best);
      }
    }
    return best;
  };
  const std::size_t num_largest = task.k == 1 ? 1 : last - first;
  return ordered_reduce(
      context, num_largest, 1, BestSet{}, map,
      [](BestSet& total, BestSet&& part) { total = better_of(std::move(total), part); });
}

}  // namespace

BestSet best_by_terms(const BestSubsetTask& task, FixedPoint point,
                      FunctionRef<void(std::size_t, SubsetTerms&)> add_terms,
                      const Context& context) {
  const std::size_t num_features = task.candidates.size();
  const std::size_t num_documents = task.documents.num_rows();
  BestSet best;
  std::size_t first = 0;
  while (first < num_features) {
    context.check_stop();
    // As many largest features as memory allows; fewer than three features have no triples to keep.
    std::size_t last = num_features;
    if (task.k == 3) {
      last = first + 1;
      while (last < num_features &&
             (triples_below(last + 1) - triples_below(first)) * num_documents * sizeof(Fixed) <=
                 kMaxTermBytes) {
        ++last;
      }
    }
    std::vector<std::optional<SubsetTerms>> made(num_documents);
    parallel_for(context, num_documents, 1, [&](std::size_t d, std::size_t) {
      // Without triples the range only says which largest features there are.
      SubsetTerms& terms = made[d].emplace(num_features, first, task.k == 3 ? last : first);
      add_terms(d, terms);
      terms.last_largest = last;
    });
    std::vector<SubsetTerms> terms;
    for (auto& one : made) terms.push_back(*std::move(one));
    best = better_of(std::move(best), best_of_terms(task, terms, point, context));
    first = last;
  }
  return best;
}

}  // namespace glassrank
