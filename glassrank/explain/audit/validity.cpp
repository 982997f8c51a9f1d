#include "glassrank/explain/audit/validity.h"

#include <array>
#include <cstddef>

#include "glassrank/base/error.h"
#include "glassrank/explain/subject.h"
#include "glassrank/math/rank_correlation.h"
#include "glassrank/metrics/gain.h"

namespace glassrank {
namespace {

double ndcg_weighted_tau(std::span<const double> scores, std::span<const double> others) {
  const std::vector<std::uint32_t> ranking = rank_documents(scores);
  const std::vector<double> discounts = discount_table(ranking.size());
  double agreed = 0;
  double total = 0;
  for (std::size_t i = 0; i < ranking.size(); ++i) {
    for (std::size_t j = i + 1; j < ranking.size(); ++j) {
      const double weight = discounts[i] - discounts[j];
      total += weight;
      const std::uint32_t upper = ranking[i];
      const std::uint32_t lower = ranking[j];
      if (scores[upper] == scores[lower]) continue;
      if (others[upper] > others[lower]) agreed += weight;
      if (others[upper] < others[lower]) agreed -= weight;
    }
  }
  return agreed / total;
}

double docid_sequence_tau(std::span<const double> scores, std::span<const double> others) {
  const auto as_values = [](std::span<const double> of) {
    const std::vector<std::uint32_t> ranking = rank_documents(of);
    return std::vector<double>(ranking.begin(), ranking.end());
  };
  return kendall_tau_a(as_values(scores), as_values(others));
}

double agreement_of_set(const Perturbation& perturbation, std::span<const double> scores,
                        std::span<const std::uint32_t> features, bool are_known, Tau tau,
                        const Context& context) {
  const std::size_t num_features = perturbation.num_features();
  std::vector<std::uint8_t> mask(num_features, are_known ? 0 : 1);
  for (const std::uint32_t feature : features) {
    if (feature >= num_features) {
      fail(ErrorKind::kUsage, "there is no feature {}; the ranker has {} features", feature + 1,
           num_features);
    }
    mask[feature] = are_known ? 1 : 0;
  }
  return masked_agreement(perturbation, scores, {mask.data(), 1, num_features}, tau, context)
      .front();
}

}  // namespace

std::span<const std::pair<std::string_view, Tau>> EnumNames<Tau>::table() {
  static constexpr std::array<std::pair<std::string_view, Tau>, 4> kNames = {
      {{"a", Tau::kA},
       {"b", Tau::kB},
       {"ndcg", Tau::kNdcg},
       {"docid-sequence", Tau::kDocidSequence}}};
  return kNames;
}

double rank_agreement(std::span<const double> scores, std::span<const double> others, Tau tau) {
  if (scores.size() < 2) return 1;
  switch (tau) {
    case Tau::kA:
      return kendall_tau_a(scores, others);
    case Tau::kB:
      return kendall_tau_b(scores, others).value_or(0);
    case Tau::kNdcg:
      return ndcg_weighted_tau(scores, others);
    case Tau::kDocidSequence:
      return docid_sequence_tau(scores, others);
  }
  return 0;
}

std::vector<double> masked_agreement(const Perturbation& perturbation,
                                     std::span<const double> scores, FeatureMasks masks, Tau tau,
                                     const Context& context) {
  const std::size_t num_documents = perturbation.num_documents();
  if (scores.size() != num_documents) {
    fail(ErrorKind::kUsage, "{} scores for {} documents", scores.size(), num_documents);
  }
  std::vector<double> masked(masks.num_rows() * num_documents);
  perturbation.mean_scores(masks, masked, context);
  std::vector<double> agreements;
  agreements.reserve(masks.num_rows());
  for (std::size_t m = 0; m < masks.num_rows(); ++m) {
    agreements.push_back(
        rank_agreement(scores, std::span(masked).subspan(m * num_documents, num_documents), tau));
  }
  return agreements;
}

double validity(const Perturbation& perturbation, std::span<const double> scores,
                std::span<const std::uint32_t> features, Tau tau, const Context& context) {
  return agreement_of_set(perturbation, scores, features, true, tau, context);
}

double completeness(const Perturbation& perturbation, std::span<const double> scores,
                    std::span<const std::uint32_t> features, Tau tau, const Context& context) {
  return agreement_of_set(perturbation, scores, features, false, tau, context);
}

}  // namespace glassrank
