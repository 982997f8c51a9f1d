#include "glassrank/explain/explain_queries.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/explain/background.h"

namespace glassrank {
namespace {

// What a ranking made of documents adds up to.
std::string aggregate_name(const AggregationParams& aggregation, std::size_t num_documents) {
  const auto top = std::min(num_documents, static_cast<std::size_t>(aggregation.top_documents));
  return top == 1 ? "the score of the first document"
                  : fmt::format("the scores of the first {} documents", top);
}

}  // namespace

void SessionParams::visit(ParamVisitor& visitor) {
  aggregation.visit(visitor);
  visitor.section("trust");
  visitor.field("audit", audit, "measure how far each answer can be trusted");
  auditor.abstain.visit(visitor);
  visitor.field(
      "seeds", seeds,
      "number of seeds for explainers that sample, to see whether they give the same answer again",
      Range{.low = 1, .high = 1000});
  visitor.section("advanced");
  visitor.field("audit_typical", auditor.typical,
                "how unknown features are filled in when validity is measured");
  visitor.field("audit_tau", auditor.tau, "how validity compares two rankings");
}

void SessionParams::check() const {
  if (!audit && auditor.abstain.abstain_below > 0) {
    fail(ErrorKind::kUsage,
         "--abstain-below looks at what the audit measures; it does not go with --no-audit");
  }
}

ExplanationSession::ExplanationSession(const Subject& subject, const Dataset& data,
                                       const Explainer& explainer, const SessionParams& params,
                                       const Context& context)
    : subject_(subject), data_(data), params_(params), context_(context) {
  check_params(params);
  params.check();
  check_subject(subject);
  check_num_chosen(explainer, subject);
  if (params.audit && is_one_row(subject)) {
    context.info(
        "the rows of the background data are all alike: features that are not known take the "
        "values "
        "of that one row");
  }
  const bool repeats = params.audit && explainer.traits().is_sampled;
  const std::size_t num_seeds = repeats ? static_cast<std::size_t>(params.seeds) : 1;
  for (std::size_t s = 0; s < num_seeds; ++s) {
    explainers_.push_back(explainer.clone());
    explainers_.back()->prepare(subject, with_seed(s));
  }
  if (params.audit) auditor_.emplace(subject, params.auditor, context);
  names_ = explanation_names(subject, data);
}

Context ExplanationSession::with_seed(std::size_t s) const {
  Context context = context_;
  context.seed += s;
  return context;
}

ExplanationNames ExplanationSession::names_of(std::size_t query) const {
  ExplanationNames names = names_;
  names.documents = document_names(data_, query);
  return names;
}

std::vector<ExplanationView> ExplanationSession::explain(std::size_t query,
                                                         const TargetChoice& choice) const {
  context_.check_stop();
  const ExplainedQuery explained = view_query(subject_, data_, query, context_);
  const ExplanationNames names = names_of(query);
  const std::vector<Target> targets = chosen_targets(choice, explained, names.documents);
  std::vector<std::vector<Explanation>> answers;  // [seed][target]
  for (std::size_t s = 0; s < explainers_.size(); ++s) {
    answers.push_back(
        explain_targets(*explainers_[s], explained, targets, params_.aggregation, with_seed(s)));
  }
  std::optional<QueryAuditor> auditor;
  if (auditor_) auditor.emplace(*auditor_, explained, context_);
  std::vector<ExplanationView> views;
  for (std::size_t t = 0; t < targets.size(); ++t) {
    if (auditor) {
      std::vector<Explanation> others;
      for (std::size_t s = 1; s < answers.size(); ++s) others.push_back(std::move(answers[s][t]));
      auditor->audit(answers.front()[t], others, context_);
    }
    ExplanationView& view =
        views.emplace_back(view_explanation(answers.front()[t], explained, names));
    if (targets[t].kind == TargetKind::kRanking &&
        !explainers_.front()->traits().explains_rankings) {
      view.measure = aggregate_name(params_.aggregation, explained.num_documents());
    }
  }
  return views;
}

bool ExplanationSession::explains_documents() const {
  const ExplainerTraits traits = explainers_.front()->traits();
  return traits.explains_documents && traits.gives_attributions;
}

ExplanationSession::Documents ExplanationSession::explain_documents(std::size_t query) const {
  context_.check_stop();
  if (!explains_documents()) {
    fail(ErrorKind::kUsage,
         "{} has no attributions of single documents; kernel-shap has them for any ranker",
         explainers_.front()->name());
  }
  Documents documents{.query = view_query(subject_, data_, query, context_),
                      .explanations = {},
                      .names = names_of(query)};
  std::vector<Target> targets;
  for (const std::uint32_t d : documents.query.ranking) targets.push_back(Target::of_document(d));
  documents.explanations = explain_targets(*explainers_.front(), documents.query, targets,
                                           params_.aggregation, context_);
  return documents;
}

}  // namespace glassrank
