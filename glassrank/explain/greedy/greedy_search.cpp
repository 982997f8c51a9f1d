#include "glassrank/explain/greedy/greedy_search.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace glassrank {
namespace {

// Scores of the documents with F' + f, for every candidate f.
struct Step {
  std::vector<std::uint32_t> candidates;
  std::vector<double> scores;

  std::span<const double> of(std::size_t candidate, std::size_t num_documents) const {
    return std::span(scores).subspan(candidate * num_documents, num_documents);
  }
};

// What a document's score counts in u.
std::vector<double> document_weights(std::span<const DocumentPair> pairs,
                                     std::size_t num_documents) {
  std::vector<double> weights(num_documents);
  for (const DocumentPair& pair : pairs) {
    weights[pair.upper] += pair.weight;
    weights[pair.lower] -= pair.weight;
  }
  return weights;
}

class Run {
 public:
  Run(const GreedyRule& rule, const GreedyTask& task, ExtensionScores& extensions,
      const Context& context)
      : rule_(rule), task_(task), extensions_(extensions), context_(context) {}

  // Nothing when there are not so many first features.
  std::optional<GreedyResult> from(std::size_t start, const Step& first) {
    pairs_.assign(task_.pairs.begin(), task_.pairs.end());
    chosen_.clear();
    kept_scores_.clear();
    agreements_.clear();
    if (start >= first.candidates.size()) return std::nullopt;
    const std::size_t most =
        std::min((rule_.as_released ? 2 : 1) * rule_.k, task_.candidates.size());
    double previous = 0;
    for (std::size_t i = 0; i < most; ++i) {
      const Step next = i == 0 ? Step{} : step_after(chosen_);
      const Step& step = i == 0 ? first : next;
      const auto [best, utility] = choose(step, i == 0 ? start : 0);
      const bool falls = i > 0 && rule_.variant == GreedyVariant::kGreedy &&
                         (rule_.as_released ? utility < previous : utility <= previous);
      if (falls && !rule_.as_released) break;
      add(step, best);
      if (falls) break;
      previous = utility;
      if (rule_.variant != GreedyVariant::kGreedy && !cover(step, best)) break;
    }
    GreedyResult result{
        .features = {chosen_.begin(), chosen_.begin() + static_cast<std::ptrdiff_t>(
                                                            std::min(rule_.k, chosen_.size()))},
        .scores = kept_scores_,
        .agreement = agreements_.back(),
        .base = task_.agreement(std::vector<double>(task_.num_documents))};
    double before = result.base;
    for (const double agreement : agreements_) {
      result.gains.push_back(agreement - before);
      before = agreement;
    }
    return result;
  }

  Step step_after(std::span<const std::uint32_t> known) {
    Step step;
    for (const std::uint32_t f : task_.candidates) {
      if (std::ranges::find(known, f) == known.end()) step.candidates.push_back(f);
    }
    step.scores.resize(step.candidates.size() * task_.num_documents);
    extensions_.extend(known, step.candidates, step.scores, context_);
    return step;
  }

 private:
  // The candidate of this place by utility, and its utility.
  std::pair<std::size_t, double> choose(const Step& step, std::size_t place) const {
    const std::vector<double> weights = document_weights(pairs_, task_.num_documents);
    std::vector<double> utilities;
    for (std::size_t c = 0; c < step.candidates.size(); ++c) {
      const auto scores = step.of(c, task_.num_documents);
      utilities.push_back(std::inner_product(scores.begin(), scores.end(), weights.begin(), 0.0));
    }
    std::vector<std::size_t> order(utilities.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t c) { return utilities[c]; });
    return {order[place], utilities[order[place]]};
  }

  void add(const Step& step, std::size_t candidate) {
    chosen_.push_back(step.candidates[candidate]);
    if (chosen_.size() > rule_.k) return;
    const auto scores = step.of(candidate, task_.num_documents);
    kept_scores_.assign(scores.begin(), scores.end());
    agreements_.push_back(task_.agreement(scores));
  }

  // Takes out the pairs that are settled; whether to go on.
  bool cover(const Step& step, std::size_t candidate) {
    const auto scores = step.of(candidate, task_.num_documents);
    std::vector<double> z;
    double positive_sum = 0;
    std::size_t num_positive = 0;
    for (const DocumentPair& pair : pairs_) {
      z.push_back((scores[pair.upper] - scores[pair.lower]) * pair.weight);
      if (z.back() <= 0) continue;
      positive_sum += z.back();
      ++num_positive;
    }
    const bool has_eps = rule_.variant == GreedyVariant::kCoverEps;
    const bool needs_positive = has_eps || !rule_.as_released;
    // Before any pair is covered another feature may cover one together with this.
    const bool is_none_covered = !rule_.as_released && pairs_.size() == task_.pairs.size();
    if (num_positive == 0 && needs_positive) return is_none_covered;
    const double eps = has_eps ? positive_sum / static_cast<double>(num_positive) : 0;
    std::vector<DocumentPair> left;
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
      const bool settled = rule_.as_released ? z[p] >= eps : z[p] > eps;
      if (!settled) left.push_back(pairs_[p]);
    }
    pairs_ = std::move(left);
    return !pairs_.empty();
  }

  const GreedyRule& rule_;
  const GreedyTask& task_;
  ExtensionScores& extensions_;
  const Context& context_;
  std::vector<DocumentPair> pairs_;
  std::vector<std::uint32_t> chosen_;
  std::vector<double> kept_scores_;  // with the first k of them
  std::vector<double> agreements_;   // with each of these added
};

bool is_better(const GreedyResult& a, const GreedyResult& b, bool later_wins) {
  if (a.agreement != b.agreement) return a.agreement > b.agreement;
  if (later_wins) return true;
  if (a.features.size() != b.features.size()) return a.features.size() < b.features.size();
  const auto sorted = [](std::vector<std::uint32_t> features) {
    std::ranges::sort(features);
    return features;
  };
  return sorted(a.features) < sorted(b.features);
}

}  // namespace

GreedyResult greedy_search(const GreedyRule& rule, const GreedyTask& task,
                           ExtensionScores& extensions, const Context& context) {
  Run run(rule, task, extensions, context);
  const Step first = run.step_after({});
  std::optional<GreedyResult> best;
  for (std::size_t start = 0; start < rule.starts; ++start) {
    std::optional<GreedyResult> next = run.from(start, first);
    if (!next) break;
    if (!best || is_better(*next, *best, rule.as_released)) best = std::move(next);
  }
  return best ? *std::move(best) : GreedyResult{};
}

}  // namespace glassrank
