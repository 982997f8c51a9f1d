#include "glassrank/explain/explain_queries.h"

#include "glassrank/base/error.h"

namespace glassrank {

ExplanationSession::ExplanationSession(const Subject& subject, const Dataset& data,
                                       const Explainer& explainer,
                                       const AggregationParams& aggregation, const Context& context)
    : subject_(subject),
      data_(data),
      explainer_(explainer.clone()),
      aggregation_(aggregation),
      context_(context) {
  check_subject(subject);
  if (explainer.traits().needs_model && subject.model == nullptr) {
    fail(ErrorKind::kUsage,
         "{} looks into the model, and a command shows only its scores; kernel-shap explains any "
         "ranker",
         explainer.name());
  }
  explainer_->prepare(subject, context);
  names_ = explanation_names(subject, data);
}

ExplanationNames ExplanationSession::names_of(std::size_t query) const {
  ExplanationNames names = names_;
  names.documents = document_names(data_, query);
  return names;
}

ExplanationView ExplanationSession::explain(std::size_t query, const TargetChoice& choice) const {
  context_.check_stop();
  const ExplainedQuery explained = view_query(subject_, data_, query, context_);
  const ExplanationNames names = names_of(query);
  const Target target = chosen_target(choice, explained, names.documents);
  const std::vector<Explanation> answers =
      explain_targets(*explainer_, explained, std::span(&target, 1), aggregation_, context_);
  return view_explanation(answers.front(), explained, names);
}

bool ExplanationSession::explains_documents() const {
  const ExplainerTraits traits = explainer_->traits();
  return traits.explains_documents && traits.gives_attributions;
}

ExplanationSession::Documents ExplanationSession::explain_documents(std::size_t query) const {
  context_.check_stop();
  if (!explains_documents()) {
    fail(ErrorKind::kUsage,
         "{} has no attributions of single documents; kernel-shap has them for any ranker",
         explainer_->name());
  }
  Documents documents{.query = view_query(subject_, data_, query, context_),
                      .explanations = {},
                      .names = names_of(query)};
  std::vector<Target> targets;
  for (const std::uint32_t d : documents.query.ranking) targets.push_back(Target::of_document(d));
  documents.explanations =
      explain_targets(*explainer_, documents.query, targets, aggregation_, context_);
  return documents;
}

}  // namespace glassrank
