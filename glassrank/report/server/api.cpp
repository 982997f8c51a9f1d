#include "glassrank/report/server/api.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "glassrank/base/error.h"
#include "glassrank/base/suggest.h"
#include "glassrank/explain/find_document.h"
#include "glassrank/explain/registry.h"
#include "glassrank/explain/tree_shap/cover.h"
#include "glassrank/models/display_names.h"
#include "glassrank/models/model_categories.h"
#include "glassrank/report/bundle/parts.h"

namespace glassrank {

// The documents of a request: its own, or a query of the data.
struct Api::Asked {
  Dataset data;
  std::size_t query = 0;
  std::vector<std::string> documents;
};

// An engine that is made by the first who asks for it, while the others wait.
struct Api::Prepared {
  std::once_flag once;
  std::unique_ptr<Explainer> explainer;
};

namespace {

// RankLib's trees do not know how many rows reached their leaves; explanations ask for that.
ApiTask with_cover(ApiTask task, const Context& context) {
  if (task.background.num_rows() > 0) {
    task.model = with_known_cover(task.model, task.background, context);
  }
  return task;
}

constexpr std::string_view kPlaceWord = "place:";

// Of an id that several documents have nobody knows which is meant.
void refuse_twins(const ExplainedQuery& query, std::span<const std::string> documents,
                  const std::string& id) {
  std::vector<std::size_t> places;
  for (std::size_t d = 0; d < documents.size(); ++d) {
    if (documents[d] == id) places.push_back(d + 1);
  }
  if (places.size() < 2) return;
  fail(ErrorKind::kUsage,
       "query {} has {} documents '{}', at the places {}; send the place, \"place:{}\" for the "
       "first of them",
       query.id, places.size(), id, fmt::join(places, ", "), places.front());
}

// The document's place from 0: by "place:3", or as find_document() takes it ("all" names every
// document elsewhere).
std::uint32_t document_of(const std::string& text, const ExplainedQuery& query,
                          std::span<const std::string> documents) {
  refuse_twins(query, documents, text);
  const bool is_id = std::ranges::find(documents, text) != documents.end();
  if (text == "all" && !is_id) {
    fail(ErrorKind::kUsage, "one document is asked about at a time; give its id, place or rank");
  }
  // A number alone may be an id, too, and would be taken for it.
  if (is_id || !text.starts_with(kPlaceWord)) return find_document(query, documents, text);
  std::uint32_t place = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + kPlaceWord.size(), end, place);
  if (error != std::errc() || stop != end || place == 0 || place > documents.size()) {
    fail(ErrorKind::kUsage, "query {} has the places 1 to {}; there is no '{}'", query.id,
         documents.size(), text);
  }
  return place - 1;
}

Target target_of(const std::string& document, const ExplainedQuery& query,
                 std::span<const std::string> documents) {
  return document.empty() ? Target::of_ranking()
                          : Target::of_document(document_of(document, query, documents));
}

}  // namespace

Api::Api(ApiTask task, ApiParams params, const Context& context)
    : task_(with_cover(std::move(task), context)),
      params_(std::move(params)),
      context_(context),
      scorer_(make_scorer(task_.model)),
      subject_{.scorer = *scorer_, .model = &task_.model, .background = task_.background},
      names_(task_.background.num_rows() > 0
                 ? explanation_names(subject_, task_.background)
                 : ExplanationNames{.features = display_names(*scorer_),
                                    .is_switch = std::vector<bool>(scorer_->num_features()),
                                    .documents = {},
                                    .categories = categories_of(subject_)}),
      categories_(category_names_of(task_.model)),
      reader_(names_.features, params_.most_documents, categories_) {
  if (task_.background.num_rows() > 0) check_subject(subject_);
  for (const ExplainerInfo& info : explainer_table()) {
    prepared_.emplace(info.name, std::make_unique<Prepared>());
  }
}

Api::~Api() = default;

Api::Asked Api::asked(const std::string& query, const Documents& documents) const {
  Asked asked;
  if (documents) {
    asked.data = documents->dataset(query, names_.features);
  } else {
    if (task_.data.num_rows() == 0) {
      fail(ErrorKind::kUsage,
           "the request has no \"documents\", and the server has no data to find a query in "
           "(glassrank serve --data FILE)");
    }
    if (query.empty()) {
      fail(ErrorKind::kUsage, "give \"documents\", or \"query\", the id of one in the data");
    }
    const auto ids = task_.data.queries().ids();
    const auto found = std::ranges::find(ids, query);
    if (found == ids.end()) {
      throw Error(ErrorKind::kUsage, unknown_name_message("query", query, ids));
    }
    asked.data = task_.data;
    asked.query = static_cast<std::size_t>(found - ids.begin());
  }
  asked.documents = document_names(asked.data, asked.query);
  return asked;
}

ExplainedQuery Api::view(const Asked& asked, const Context& context) const {
  ExplainedQuery query = view_query(subject_, asked.data, asked.query, context);
  if (asked.data.shared_table() != task_.data.shared_table()) query.grades = {};  // nobody judged
  return query;
}

ScoreAnswer Api::score(const ScoreRequest& request, const Documents& documents,
                       const Context& context) const {
  const Asked asked = this->asked(request.query, documents);
  const ExplainedQuery query = view(asked, context);
  ScoreAnswer answer{.model = task_.name,
                     .query = query.id,
                     .documents = asked.documents,
                     .scores = query.scores,
                     .ranks = query.ranks};
  for (std::uint32_t& rank : answer.ranks) ++rank;
  return answer;
}

void Api::check_background() const {
  if (task_.background.num_rows() > 0) return;
  fail(ErrorKind::kUsage,
       "explanations need data that say what is usual (glassrank serve --data FILE)");
}

const Explainer& Api::explainer(const std::string& name) const {
  Prepared* prepared = nullptr;
  {
    const std::lock_guard lock(mutex_);
    const auto found = prepared_.find(name);
    if (found == prepared_.end()) make_explainer(name);  // says which there are
    prepared = found->second.get();
  }
  std::call_once(prepared->once, [&] {
    std::unique_ptr<Explainer> explainer = report_explainer(
        name, num_named(static_cast<std::size_t>(params_.k), names_.features.size()), task_.model);
    explainer->prepare(subject_, context_);
    prepared->explainer = std::move(explainer);
  });
  return *prepared->explainer;
}

const Auditor& Api::auditor() const {
  const std::lock_guard lock(mutex_);
  if (!auditor_) auditor_ = std::make_unique<const Auditor>(subject_, AuditorParams{}, context_);
  return *auditor_;
}

ExplanationView Api::explain_target(const std::string& name, bool audit, const Asked& asked,
                                    const ExplainedQuery& query, const Target& target,
                                    const Context& context) const {
  const Explainer& explainer = this->explainer(name);
  const Target targets[] = {target};
  std::vector<Explanation> answers = explain_targets(explainer, query, targets, {}, context);
  if (audit) QueryAuditor(auditor(), query, context).audit(answers.front(), {}, context);
  ExplanationNames names = names_;
  names.documents = asked.documents;
  return view_explanation(answers.front(), query, names);
}

ExplanationView Api::explain(const ExplainRequest& request, const Documents& documents,
                             const Context& context) const {
  check_background();
  const Asked asked = this->asked(request.query, documents);
  const ExplainedQuery query = view(asked, context);
  const Target target = target_of(request.document, query, asked.documents);
  std::string name = request.explainer;
  if (name.empty()) {
    name = target.kind == TargetKind::kRanking ? params_.list_explainer : params_.explainer;
  }
  return explain_target(name, request.audit, asked, query, target, context);
}

ExplanationView Api::pair(const PairRequest& request, const Documents& documents,
                          const Context& context) const {
  check_background();
  if (request.document.empty() || request.other.empty()) {
    fail(ErrorKind::kUsage, "a pair needs \"document\" and \"other\"");
  }
  const Asked asked = this->asked(request.query, documents);
  const ExplainedQuery query = view(asked, context);
  const Target target = Target::of_pair(document_of(request.document, query, asked.documents),
                                        document_of(request.other, query, asked.documents));
  return explain_target(request.explainer.empty() ? params_.explainer : request.explainer,
                        request.audit, asked, query, target, context);
}

Counterfactual Api::counterfactual(const CounterfactualRequest& request, const Documents& documents,
                                   const Context& context) const {
  check_background();
  if (request.document.empty()) fail(ErrorKind::kUsage, "\"document\" says which is to rise");
  if (request.above.empty() == (request.top == 0)) {
    fail(ErrorKind::kUsage, "give \"above\", a document to pass, or \"top\", places to get into");
  }
  const Asked asked = this->asked(request.query, documents);
  const ExplainedQuery query = view(asked, context);
  const auto place = [&](const std::string& document) {
    return document_of(document, query, asked.documents);
  };
  CounterfactualGoal goal{.document = place(request.document),
                          .above = std::nullopt,
                          .top = static_cast<std::size_t>(request.top)};
  if (!request.above.empty()) goal.above = place(request.above);
  return find_counterfactual(subject_, query, asked.documents, goal, request.params, context);
}

ModelAnswer Api::model() const {
  ModelAnswer answer{.name = task_.name,
                     .format = task_.format,
                     .kind = std::string(kind_of(task_.model)),
                     .size = task_.size,
                     .num_features = names_.features.size(),
                     .features = names_.features,
                     .provenance = task_.model.provenance,
                     .has_data = task_.data.num_rows() > 0,
                     .num_queries = task_.data.num_queries()};
  const std::vector<bool> is_category = category_features_of(task_.model);
  for (std::size_t f = 0; f < is_category.size(); ++f) {
    if (!is_category[f]) continue;
    const auto names = names_of(categories_, f);
    answer.categories.push_back(
        {.feature = names_.features[f], .names = {names.begin(), names.end()}});
  }
  if (task_.background.num_rows() > 0) answer.explainers = names_in(explainer_table());
  return answer;
}

}  // namespace glassrank
