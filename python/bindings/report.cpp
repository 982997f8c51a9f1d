// What is made of models and data as a whole: the report's page, summaries, what a model is.

#include <memory>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "glassrank/base/error.h"
#include "glassrank/base/kept_warnings.h"
#include "glassrank/evaluation/load_rows.h"
#include "glassrank/evaluation/unknown_categories.h"
#include "glassrank/explain/explanation_view.h"
#include "glassrank/explain/global/explainer_summary.h"
#include "glassrank/explain/registry.h"
#include "glassrank/models/io/formats.h"
#include "glassrank/report/bundle/make_bundle.h"
#include "glassrank/report/choices.h"
#include "glassrank/report/inspect_model.h"
#include "glassrank/report/page/report_page.h"
#include "python/bindings/bindings.h"
#include "python/bindings/call.h"
#include "python/bindings/ranker.h"
#include "python/bindings/values.h"

namespace glassrank::python {
namespace {

struct NamedRanker {
  std::string name;
  const Ranker* ranker;
};

std::vector<NamedRanker> rankers_of(const nb::dict& models) {
  std::vector<NamedRanker> rankers;
  for (const auto& [name, ranker] : models) {
    rankers.push_back({nb::cast<std::string>(name), &nb::cast<const Ranker&>(ranker)});
    rankers.back().ranker->require_model("a report");
  }
  return rankers;
}

// The bundle as JSON, and the page.
nb::tuple report(const Call& call, const nb::dict& models, const Data& data, const Data* train,
                 const std::string& date, const nb::dict& params) {
  ReportParams chosen;
  set_params(chosen, params);
  const std::vector<NamedRanker> rankers = rankers_of(models);
  std::string bundle_text;
  std::string html;
  call.run([&](const Context& given) {
    const auto kept = std::make_shared<KeptWarnings>(given.log_sink);
    Context context = given;
    context.log_sink = kept;
    std::vector<Model> all;
    for (const NamedRanker& each : rankers) all.push_back(*each.ranker->model());
    const Dataset rows = data.rows(context);
    ReportTask task{.models = {},
                    .data = rows_for(all, rows, data.name, data.read, context),
                    .data_file = data.name,
                    .train_file = train == nullptr ? "" : train->name,
                    .date = date,
                    .command = "glassrank.report"};
    task.unknown = unknown_categories(all, rows, task.data, data.name, data.read);
    if (train != nullptr) {
      task.train = rows_for(all, train->rows(context), train->name, train->read, context);
    }
    task.notices = kept->warnings();
    for (std::size_t m = 0; m < all.size(); ++m) {
      task.models.push_back({.name = rankers[m].name,
                             .file = rankers[m].ranker->name,
                             .format = rankers[m].ranker->format,
                             .model = std::move(all[m])});
    }
    const ReportBundle bundle = make_bundle(task, chosen, context);
    bundle_text = json_text(bundle);
    html = report_html(bundle);
  });
  return nb::make_tuple(text_of(bundle_text), text_of(html));
}

struct SummarySettings {
  std::unique_ptr<Explainer> explainer;
  GroupChoice groups;
  SummaryParams params;

  void visit(ParamVisitor& visitor) {
    groups.visit(visitor);
    explainer->visit(visitor);
    params.visit(visitor);
  }
};

// `named` are groups of queries by name, ids in lists. (result, text, every number as a table)
nb::tuple summary(const Ranker& ranker, const Call& call, const Data& data, const Data* background,
                  const std::string& method, const nb::dict& named, const nb::dict& params) {
  SummarySettings settings{.explainer = make_explainer(method), .groups = {}, .params = {}};
  set_params(settings, params);
  settings.groups.check();
  std::vector<std::pair<std::string, std::vector<std::string>>> ids;
  for (const auto& [name, queries] : named) {
    ids.emplace_back(nb::cast<std::string>(name), strings_of(queries));
  }
  const AttributionSummary result = call.run([&](const Context& context) {
    const RankedRows rows(ranker, data, background, context);
    const std::vector<std::string> names = explanation_names(rows.subject, rows.data).features;
    std::vector<QuerySelection> groups = chosen_groups(settings.groups, rows.data, names);
    for (const auto& [name, queries] : ids) {
      groups.push_back(named_queries(rows.data, name, queries));
    }
    return summarise_explainer(rows.subject, {rows.data, names, groups}, *settings.explainer,
                               settings.params, context);
  });
  return nb::make_tuple(result_of(result), text_of(table_text(summary_table(result, 10))),
                        table_of(summary_values(result)));
}

// (result, text)
nb::tuple inspect(const Ranker& ranker, const Call& call, const std::vector<std::size_t>& trees,
                  std::size_t top) {
  const LoadedModel loaded{
      .model = ranker.require_model("inspect"),
      .format = model_format(ranker.format.empty() ? "native" : ranker.format)};
  InspectRequest request;
  request.model = ranker.name;
  request.trees = trees;
  request.top = top;
  const InspectReport report =
      call.run([&](const Context& context) { return inspect_model(loaded, request, context); });
  return nb::make_tuple(result_of(report), text_of(inspect_text(report)));
}

}  // namespace

void bind_report(nb::module_& core) {
  core.def("report", &report, nb::arg("call"), nb::arg("models"), nb::arg("data"),
           nb::arg("train").none(), nb::arg("date"), nb::arg("params"));
  core.def("summary", &summary, nb::arg("ranker"), nb::arg("call"), nb::arg("data"),
           nb::arg("background").none(), nb::arg("method"), nb::arg("groups"), nb::arg("params"));
  core.def("inspect", &inspect);
  core.def("choice_topics", [] { return texts_of(choice_topics()); });
  core.def("choices", [](const std::string& topic) { return result_of(choices_of(topic)); });
}

}  // namespace glassrank::python
