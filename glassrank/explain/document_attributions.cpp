#include "glassrank/explain/document_attributions.h"

#include <algorithm>
#include <memory>

#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"

namespace glassrank {

DocumentAttributions attribute_documents(const Subject& subject, const Dataset& data,
                                         const Explainer& explainer, const Context& context) {
  check_subject(subject);
  const ExplainerTraits traits = explainer.traits();
  if (!traits.explains_documents || !traits.gives_attributions) {
    fail(ErrorKind::kUsage,
         "{} has no attributions of single documents; kernel-shap has them for any ranker",
         explainer.name());
  }
  const std::unique_ptr<Explainer> prepared = explainer.clone();
  prepared->prepare(subject, context);
  const std::size_t width = subject.num_features();
  DocumentAttributions result{.num_features = width,
                              .values = std::vector<double>(data.num_rows() * width),
                              .base_values = std::vector<double>(data.num_rows()),
                              .scores = std::vector<double>(data.num_rows())};
  const auto explain_query = [&](std::size_t q) {
    context.check_stop();
    const ExplainedQuery query = view_query(subject, data, q, context);
    std::vector<Target> targets;
    for (std::size_t d = 0; d < query.num_documents(); ++d) {
      targets.push_back(Target::of_document(static_cast<std::uint32_t>(d)));
    }
    const std::vector<Explanation> answers = prepared->explain(query, targets, context);
    const std::size_t first = data.queries().rows(q).begin;
    for (std::size_t d = 0; d < answers.size(); ++d) {
      std::ranges::copy(answers[d].attributions, result.values.begin() + (first + d) * width);
      result.base_values[first + d] = answers[d].base_value;
      result.scores[first + d] = query.scores[d];
    }
  };
  if (subject.scorer.takes_turns()) {
    for (std::size_t q = 0; q < data.num_queries(); ++q) explain_query(q);
  } else {
    parallel_for(context, data.num_queries(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t q = begin; q < end; ++q) explain_query(q);
    });
  }
  return result;
}

}  // namespace glassrank
