#include "glassrank/explain/greedy/best_subset.h"

#include <cstdint>
#include <vector>

#include "glassrank/base/error.h"
#include "glassrank/explain/greedy/subset_terms.h"
#include "glassrank/explain/greedy/terms_search.h"
#include "glassrank/explain/masks/additive_terms.h"
#include "glassrank/explain/masks/branch_bits.h"
#include "glassrank/explain/masks/forest_table.h"
#include "glassrank/explain/perturbation.h"
#include "glassrank/models/model.h"

namespace glassrank {
namespace {

// Kept less turned pairs of one list of scores.
double kept_pairs_of(std::span<const DocumentPair> pairs, std::span<const double> scores) {
  std::int64_t kept = 0;
  for (const DocumentPair& pair : pairs) {
    kept += scores[pair.upper] > scores[pair.lower] ? 1 : 0;
    kept -= scores[pair.upper] < scores[pair.lower] ? 1 : 0;
  }
  return static_cast<double>(kept);
}

// The next set in lexicographic order; false after the last.
bool advance(std::vector<std::uint32_t>& set, std::size_t num_features) {
  for (std::size_t i = set.size(); i-- > 0;) {
    if (set[i] + (set.size() - i) >= num_features) continue;
    ++set[i];
    for (std::size_t j = i + 1; j < set.size(); ++j) set[j] = set[j - 1] + 1;
    return true;
  }
  return false;
}

BestSet best_by_masks(const BestSubsetTask& task, const Context& context) {
  const std::size_t num_features = task.subject.num_features();
  const std::size_t num_documents = task.documents.num_rows();
  const std::size_t num_sets = count_subsets(task.candidates.size(), task.k);
  if (num_sets > task.max_rows / num_documents) {
    fail(ErrorKind::kUsage,
         "{} sets of {} of {} features for {} documents are more than the {} rows that a ranker "
         "which is no forest or additive model is asked for: choose fewer features or raise "
         "max_rows",
         num_sets, task.k, task.candidates.size(), num_documents, task.max_rows);
  }
  const auto perturbation = make_perturbation(
      task.subject, task.documents, {task.typical.data(), 1, task.typical.size()}, context);
  constexpr std::size_t kSetsAtATime = 1024;
  std::vector<std::uint32_t> set(task.k);
  for (std::size_t i = 0; i < set.size(); ++i) set[i] = static_cast<std::uint32_t>(i);
  BestSet best;
  for (bool more = true; more;) {
    context.check_stop();
    std::vector<std::vector<std::uint32_t>> sets;
    std::vector<std::uint8_t> masks;
    while (more && sets.size() < kSetsAtATime) {
      masks.resize(masks.size() + num_features);
      for (const std::uint32_t f : set) {
        masks[masks.size() - num_features + task.candidates[f]] = 1;
      }
      sets.push_back(set);
      more = advance(set, task.candidates.size());
    }
    std::vector<double> scores(sets.size() * num_documents);
    perturbation->scores({masks.data(), sets.size(), num_features}, scores, context);
    for (std::size_t s = 0; s < sets.size(); ++s) {
      const auto list = std::span(scores).subspan(s * num_documents, num_documents);
      best.offer(task.agreement ? task.agreement(list) : kept_pairs_of(task.pairs, list), sets[s]);
    }
  }
  return best;
}

BestSet best_of_forest(const BestSubsetTask& task, const Forest& forest, const Context& context) {
  const ForestTable table(forest, 1);
  const BranchBits documents(table, task.documents, 1, context);
  const BranchBits typical(table, {task.typical.data(), 1, task.typical.size()}, 1, context);
  const auto add_terms = [&](std::size_t d, SubsetTerms& terms) {
    add_forest_terms(table, {&documents, d}, {&typical, 0}, task.candidates, task.k, terms);
  };
  return best_by_terms(task, table.point, add_terms, context);
}

BestSet best_of_gam(const BestSubsetTask& task, const Gam& gam, const Context& context) {
  const AdditiveTable table(gam, 1);
  const auto add_terms = [&](std::size_t d, SubsetTerms& terms) {
    add_additive_terms(table, task.documents.row(d), task.typical, task.candidates, task.k, terms);
  };
  return best_by_terms(task, table.point(), add_terms, context);
}

}  // namespace

std::size_t count_subsets(std::size_t n, std::size_t k) {
  std::size_t count = 1;
  for (std::size_t i = 0; i < k; ++i) count = count * (n - i) / (i + 1);
  return count;
}

std::vector<std::uint32_t> best_subset(const BestSubsetTask& task, const Context& context) {
  const auto by_masks = [&] { return best_by_masks(task, context); };
  const BestSet best =
      task.subject.model == nullptr
          ? by_masks()
          : match(
                *task.subject.model,
                [&](const Forest& forest) { return best_of_forest(task, forest, context); },
                [&](const Gam& gam) { return best_of_gam(task, gam, context); },
                [&](const auto&) { return by_masks(); });
  std::vector<std::uint32_t> features;
  for (const std::uint32_t f : best.set) features.push_back(task.candidates[f]);
  return features;
}

}  // namespace glassrank
