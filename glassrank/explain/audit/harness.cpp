#include "glassrank/explain/audit/harness.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <numeric>
#include <utility>

#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"
#include "glassrank/base/random.h"
#include "glassrank/explain/audit/case_values.h"

namespace glassrank {
namespace {

// Queries between two looks at progress.
constexpr std::size_t kQueriesAtOnce = 16;

// Ascending numbers of `wanted` queries drawn at random; of all of them for 0.
std::vector<std::size_t> draw_queries(std::size_t num_queries, std::size_t wanted,
                                      std::uint64_t seed) {
  std::vector<std::size_t> queries(num_queries);
  std::iota(queries.begin(), queries.end(), std::size_t{0});
  if (wanted == 0 || wanted >= num_queries) return queries;
  RandomSequence random(CounterRandom(seed, "audited queries"));
  for (std::size_t i = 0; i < wanted; ++i) {
    std::swap(queries[i], queries[i + random.below(num_queries - i)]);
  }
  queries.resize(wanted);
  std::ranges::sort(queries);
  return queries;
}

bool has_order(const ExplainedQuery& query) {
  return std::ranges::any_of(query.scores, [&](double s) { return s != query.scores.front(); });
}

// One explanation per seed, of one of the targets.
std::vector<Explanation> by_seed(std::span<const std::vector<Explanation>> answers,
                                 std::size_t target) {
  std::vector<Explanation> explanations;
  for (const auto& of_seed : answers) explanations.push_back(of_seed[target]);
  return explanations;
}

struct QueryCases {
  std::vector<AuditCase> cases;
  std::vector<double> seconds;  // by method
  bool has_order = true;
};

class Harness {
 public:
  Harness(const AuditTask& task, const AuditParams& params, const Context& context);
  const std::vector<Measure>& measures() const { return measures_; }
  QueryCases audit(std::size_t number, const Context& context) const;

 private:
  // Every explainer is asked for the ranking, if it has an order, and then for the documents.
  struct Question {
    const ExplainedQuery& view;
    bool has_order = true;
    std::vector<std::uint32_t> documents;                // compared with the truth
    std::vector<std::vector<CaseValues::Truth>> truths;  // by document
  };

  Question question_about(const ExplainedQuery& view) const;
  void prepare(const AuditMethod& method, const Context& context);
  Context with_seed(const Context& context, std::size_t s) const {
    Context seeded = context;
    seeded.seed = seed_ + s;
    return seeded;
  }
  // [seed][target]; empty where there is nothing to ask.
  std::vector<std::vector<Explanation>> answers_to(const Question& question, std::size_t method,
                                                   const Context& context) const;
  void add_cases(const Question& question, std::size_t method, const QueryMeans& means,
                 const Context& context, QueryCases& result) const;

  const AuditTask& task_;
  const AuditParams& params_;
  std::uint64_t seed_;
  Auditor auditor_;
  std::vector<Measure> measures_;
  RowMatrix background_;
  std::vector<std::vector<std::unique_ptr<Explainer>>> explainers_;  // [method][seed], prepared
};

Harness::Harness(const AuditTask& task, const AuditParams& params, const Context& context)
    : task_(task),
      params_(params),
      seed_(context.seed),
      auditor_(task.subject, params.auditor, context) {
  std::vector<std::string> truths;
  for (const TruthSource& truth : task.truths) truths.push_back(truth.name);
  measures_ = audit_measures(params, truths);
  if (params.background_rows > 0) {
    background_ =
        sample_background(task.subject, static_cast<std::size_t>(params.background_rows), seed_);
  }
  for (const AuditMethod& method : task.methods) prepare(method, context);
}

// A clone for every seed: an explainer may draw what all queries share.
void Harness::prepare(const AuditMethod& method, const Context& context) {
  const bool is_sampled = method.explainer->traits().is_sampled;
  const std::size_t num_seeds = is_sampled ? static_cast<std::size_t>(params_.seeds) : 1;
  auto& prepared = explainers_.emplace_back();
  for (std::size_t s = 0; s < num_seeds; ++s) {
    context.check_stop();
    prepared.push_back(method.explainer->clone());
    set_num_chosen(*prepared.back(), params_.most_features());
    try {
      prepared.back()->prepare(task_.subject, with_seed(context, s));
    } catch (Error& error) {
      error.add_context(method.label);
      throw;
    }
  }
}

Harness::Question Harness::question_about(const ExplainedQuery& view) const {
  Question question{.view = view, .has_order = has_order(view), .documents = {}, .truths = {}};
  if (task_.truths.empty()) return question;
  const auto wanted = static_cast<std::size_t>(params_.documents);
  const std::size_t size =
      wanted == 0 ? view.ranking.size() : std::min(wanted, view.ranking.size());
  question.documents.assign(view.ranking.begin(),
                            view.ranking.begin() + static_cast<std::ptrdiff_t>(size));
  for (const std::uint32_t d : question.documents) {
    auto& truths = question.truths.emplace_back();
    for (const TruthSource& truth : task_.truths) {
      truths.push_back({truth.name, truth.importance(view, d), truth.has_signs});
    }
  }
  return question;
}

std::vector<std::vector<Explanation>> Harness::answers_to(const Question& question,
                                                          std::size_t method,
                                                          const Context& context) const {
  const ExplainerTraits traits = task_.methods[method].explainer->traits();
  std::vector<Target> targets;
  if (question.has_order) targets.push_back(Target::of_ranking());
  if (traits.explains_documents && traits.gives_attributions) {
    for (const std::uint32_t d : question.documents) targets.push_back(Target::of_document(d));
  }
  std::vector<std::vector<Explanation>> answers;
  for (std::size_t s = 0; s < explainers_[method].size() && !targets.empty(); ++s) {
    answers.push_back(explain_targets(*explainers_[method][s], question.view, targets,
                                      task_.methods[method].aggregation, with_seed(context, s)));
  }
  return answers;
}

void Harness::add_cases(const Question& question, std::size_t method, const QueryMeans& means,
                        const Context& context, QueryCases& result) const {
  const auto start = std::chrono::steady_clock::now();
  const auto answers = answers_to(question, method, context);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  result.seconds.push_back(taken.count() / static_cast<double>(explainers_[method].size()));
  if (answers.empty()) return;
  const CaseValues measure(measures_, params_);
  const AuditCase about{.query = question.view.number,
                        .method = static_cast<std::uint32_t>(method),
                        .document = {},
                        .values = {}};
  const std::size_t first_document = question.has_order ? 1 : 0;
  if (question.has_order) {
    const bool is_sampled = task_.methods[method].explainer->traits().is_sampled;
    auto measured = measure.of_ranking(by_seed(answers, 0), is_sampled, means, context);
    AuditCase& ranking = result.cases.emplace_back(about);
    ranking.values = std::move(measured.values);
    ranking.features = std::move(measured.features);
    ranking.abstains = measured.abstains;
  }
  for (std::size_t i = first_document; i < answers.front().size(); ++i) {
    const std::size_t d = i - first_document;
    AuditCase& document = result.cases.emplace_back(about);
    document.document = question.documents[d];
    document.values = measure.of_document(by_seed(answers, i), question.truths[d]);
    document.features =
        top_features(answers.front()[i].attributions, static_cast<std::size_t>(params_.k));
    if (task_.depth) document.depth = task_.depth(question.view, question.documents[d]);
  }
}

QueryCases Harness::audit(std::size_t number, const Context& context) const {
  const ExplainedQuery view = view_query(task_.subject, task_.data, number, context);
  const QueryAuditor auditor(auditor_, view, context);
  std::unique_ptr<const Perturbation> with_background;
  if (params_.background_rows > 0) {
    with_background = make_perturbation(task_.subject, view.rows, background_.view(), context);
  }
  const Question question = question_about(view);
  const QueryMeans means{
      .view = view, .auditor = auditor, .with_background = with_background.get()};
  QueryCases result{.cases = {}, .seconds = {}, .has_order = question.has_order};
  for (std::size_t m = 0; m < task_.methods.size(); ++m) {
    context.check_stop();
    add_cases(question, m, means, context, result);
  }
  return result;
}

}  // namespace

AuditCases measure_cases(const AuditTask& task, const AuditParams& params, const Context& context) {
  params.check(task.subject.num_features());
  check_methods(task.methods);
  AuditCases result;
  result.queries =
      draw_queries(task.data.num_queries(), static_cast<std::size_t>(params.queries), context.seed);
  if (result.queries.empty()) fail(ErrorKind::kInput, "the data has no query to audit");
  const Harness harness(task, params, context);
  result.measures = harness.measures();
  result.seconds.resize(task.methods.size());
  // Threads go to queries; inside one of them there is little to share. A scorer that takes turns
  // gets one query at a time.
  const Context serial{.threads = std::make_shared<const Threads>(1), .stop = context.stop};
  Progress progress(context, "auditing", "queries", result.queries.size());
  for (std::size_t begin = 0; begin < result.queries.size(); begin += kQueriesAtOnce) {
    const std::size_t size = std::min(kQueriesAtOnce, result.queries.size() - begin);
    std::vector<QueryCases> parts(size);
    if (task.subject.scorer.takes_turns()) {
      for (std::size_t i = 0; i < size; ++i) {
        parts[i] = harness.audit(result.queries[begin + i], context);
      }
    } else {
      parallel_for(context, size, 1, [&](std::size_t i, std::size_t) {
        parts[i] = harness.audit(result.queries[begin + i], serial);
      });
    }
    for (QueryCases& part : parts) {
      std::ranges::move(part.cases, std::back_inserter(result.cases));
      for (std::size_t m = 0; m < part.seconds.size(); ++m) result.seconds[m] += part.seconds[m];
      result.num_without_order += part.has_order ? 0 : 1;
    }
    progress.add(size);
    progress.report();
  }
  return result;
}

}  // namespace glassrank
