#include "glassrank/explain/global/explainer_summary.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"

namespace glassrank {
namespace {

// Writes the attributions of a query's documents, in the order of the data.
void explain_query(const Subject& subject, const Dataset& data, const Explainer& explainer,
                   std::size_t number, MatrixView<double> out, const Context& context) {
  context.check_stop();
  const ExplainedQuery query = view_query(subject, data, number, context);
  std::vector<Target> targets;
  for (std::uint32_t d = 0; d < query.num_documents(); ++d) {
    targets.push_back(Target::of_document(d));
  }
  const std::vector<Explanation> answers = explainer.explain(query, targets, context);
  for (std::size_t d = 0; d < answers.size(); ++d) {
    std::ranges::copy(answers[d].attributions, out.row(d).begin());
  }
}

}  // namespace

AttributionSummary summarise_explainer(const Subject& subject, const SummaryTask& task,
                                       const Explainer& explainer, const SummaryParams& params,
                                       const Context& context) {
  const ExplainerTraits traits = explainer.traits();
  if (!traits.explains_documents || !traits.gives_attributions) {
    fail(ErrorKind::kUsage,
         "{} has no attributions of single documents; tree-shap has them for models, kernel-shap "
         "for any ranker",
         explainer.name());
  }
  const auto prepared = explainer.clone();
  prepared->prepare(subject, context);
  Context serial = context;
  serial.threads = std::make_shared<const Threads>(1);
  const auto explain = [&](const QueryBlock& block, MatrixView<double> out, const Context& own) {
    const auto one = [&](std::size_t q, const Context& with) {
      const RowRange rows = task.data.queries().rows(q);
      const std::size_t first = rows.begin - task.data.queries().rows(block.first).begin;
      explain_query(subject, task.data, *prepared, q,
                    {out.row(first).data(), rows.size(), out.num_columns()}, with);
    };
    if (subject.scorer.takes_turns()) {
      for (std::size_t q = block.first; q < block.end; ++q) one(q, own);
    } else {
      parallel_for(own, block.end - block.first, 1,
                   [&](std::size_t i, std::size_t) { one(block.first + i, serial); });
    }
  };
  return summarise_attributions(task, explain, params, context);
}

}  // namespace glassrank
