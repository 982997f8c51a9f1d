#include "glassrank/explain/explainer.h"

#include <algorithm>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

void check_target(const Target& target, const ExplainedQuery& query) {
  const auto check = [&](std::uint32_t document) {
    if (document < query.num_documents()) return;
    fail(ErrorKind::kUsage, "query {} has {} documents; there is no document {}", query.id,
         query.num_documents(), document + 1);
  };
  if (target.kind != TargetKind::kRanking) check(target.document);
  if (target.kind != TargetKind::kPair) return;
  check(target.other);
  if (target.document == target.other) {
    fail(ErrorKind::kUsage, "a pair needs two documents; both are document {} of query {}",
         target.document + 1, query.id);
  }
}

bool explains(const ExplainerTraits& traits, TargetKind kind) {
  switch (kind) {
    case TargetKind::kDocument:
      return traits.explains_documents;
    case TargetKind::kPair:
      return traits.explains_pairs;
    case TargetKind::kRanking:
      return traits.explains_rankings;
  }
  return false;
}

// The documents whose explanations make up the target's.
std::vector<std::uint32_t> documents_of(const Target& target, const ExplainedQuery& query,
                                        const AggregationParams& aggregation) {
  if (target.kind == TargetKind::kPair) return {target.document, target.other};
  const auto top =
      std::min(query.ranking.size(), static_cast<std::size_t>(aggregation.top_documents));
  return {query.ranking.begin(), query.ranking.begin() + static_cast<std::ptrdiff_t>(top)};
}

Explanation combine(const Target& target, std::span<const Explanation> parts,
                    const Explainer& explainer) {
  Explanation result =
      target.kind == TargetKind::kPair ? difference(parts[0], parts[1]) : sum_of(parts);
  // What lifts the first documents is what a ranking is asked for; a difference may have reasons on
  // both sides.
  const std::span<const double> errors = naming_errors(explainer.traits(), result);
  result.features =
      target.kind == TargetKind::kPair
          ? top_features(result.attributions, explainer.num_chosen(), errors)
          : top_positive_features(result.attributions, explainer.num_chosen(), errors);
  return result;
}

}  // namespace

std::span<const double> naming_errors(const ExplainerTraits& traits,
                                      const Explanation& explanation) {
  if (traits.names_unsure) return {};
  return explanation.standard_errors;
}

void check_num_chosen(const Explainer& explainer, const Subject& subject) {
  constexpr std::size_t kDefaultChosen = 5;
  const std::size_t k = explainer.num_chosen();
  if (k <= std::max(kDefaultChosen, subject.num_features())) return;
  fail(ErrorKind::kUsage, "{} shall choose {} features, but the ranker has {}", explainer.name(), k,
       subject.num_features());
}

void AggregationParams::visit(ParamVisitor& visitor) {
  visitor.field("top_documents", top_documents,
                "to explain a ranking, sum the attributions of this many of its first documents",
                Range{.low = 1});
}

std::vector<Explanation> explain_targets(const Explainer& explainer, const ExplainedQuery& query,
                                         std::span<const Target> targets,
                                         const AggregationParams& aggregation,
                                         const Context& context) {
  const ExplainerTraits traits = explainer.traits();
  // Every document and every target that the explainer answers by itself, each asked once.
  std::vector<Target> asked;
  const auto ask = [&](const Target& target) {
    if (std::find(asked.begin(), asked.end(), target) == asked.end()) asked.push_back(target);
  };
  for (const Target& target : targets) {
    check_target(target, query);
    if (explains(traits, target.kind)) {
      ask(target);
    } else if (traits.explains_documents && traits.gives_attributions) {
      for (const std::uint32_t d : documents_of(target, query, aggregation)) {
        ask(Target::of_document(d));
      }
    } else {
      fail(ErrorKind::kUsage, "{} does not explain a {}", explainer.name(), name_of(target.kind));
    }
  }
  const std::vector<Explanation> answers = explainer.explain(query, asked, context);
  const auto answer_to = [&](const Target& target) -> const Explanation& {
    return answers[std::find(asked.begin(), asked.end(), target) - asked.begin()];
  };
  std::vector<Explanation> results;
  for (const Target& target : targets) {
    if (explains(traits, target.kind)) {
      results.push_back(answer_to(target));
    } else {
      std::vector<Explanation> parts;
      for (const std::uint32_t d : documents_of(target, query, aggregation)) {
        parts.push_back(answer_to(Target::of_document(d)));
      }
      results.push_back(combine(target, parts, explainer));
    }
    results.back().explainer = explainer.name();
    results.back().query = query.id;
    results.back().target = target;
    results.back().is_sampled = traits.is_sampled;
    results.back().names_unsure = traits.names_unsure;
  }
  return results;
}

}  // namespace glassrank
