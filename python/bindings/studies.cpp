// The papers' analyses, each a function of the engine, under one name: study(name, call, models,
// data, params). What a study needs of models and data is checked by python/glassrank/studies.py.

#include <array>
#include <memory>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/output_file.h"
#include "glassrank/base/suggest.h"
#include "glassrank/evaluation/load_rows.h"
#include "glassrank/explain/audit/audit_method.h"
#include "glassrank/explain/registry.h"
#include "glassrank/report/study_plots/breakdown_plot.h"
#include "glassrank/report/study_plots/curve_plot.h"
#include "glassrank/report/study_plots/explainer_plot.h"
#include "glassrank/report/study_plots/hourglass_plot.h"
#include "glassrank/report/study_plots/interaction_plot.h"
#include "glassrank/report/study_plots/leaf_score_plot.h"
#include "glassrank/report/study_plots/noise_plot.h"
#include "glassrank/report/study_plots/outlier_plot.h"
#include "glassrank/report/study_plots/rank_plot.h"
#include "glassrank/report/study_plots/sampling_plot.h"
#include "glassrank/studies/outlier_options.h"
#include "python/bindings/bindings.h"
#include "python/bindings/call.h"
#include "python/bindings/ranker.h"
#include "python/bindings/values.h"

namespace glassrank::python {
namespace {

// What studies look at, by the names of the command line.
struct Given {
  std::vector<std::pair<std::string, const Ranker*>> models;
  std::vector<std::pair<std::string, const Data*>> data;
  const Ranker* base = nullptr;
  const Data* train = nullptr;
  const Data* valid = nullptr;
  const Data* test = nullptr;
  const Data* background = nullptr;

  std::vector<Model> all_models() const {
    std::vector<Model> all;
    for (const auto& [name, ranker] : models) all.push_back(ranker->require_model("a study"));
    return all;
  }
  std::vector<NamedForest> forests() const {
    std::vector<NamedForest> all;
    for (const auto& [name, ranker] : models) all.push_back({name, forest(*ranker, name)});
    return all;
  }
  static Forest forest(const Ranker& ranker, const std::string& name) {
    Forest made =
        require_forest(ranker.require_model("a study"), fmt::format("a study of {}", name));
    if (made.trees().empty()) {
      fail(ErrorKind::kInput, "{}: the model has no trees to follow", name);
    }
    return made;
  }
  Dataset rows(std::size_t number, const Context& context) const {
    const Data& own = *data[number].second;
    std::vector<Model> all = all_models();
    if (base != nullptr) all.push_back(base->require_model("a study"));
    return rows_for(all, own.rows(context), own.name, own.read, context);
  }
  // Validation or test data with the features of the training data.
  Dataset like_train(const Data& other, const Context& context) const {
    return fit_to(features_of(train->table().schema, train->name), other.rows(context),
                  other.rules(), context);
  }
};

// Several groups of parameters as one.
template <typename... Groups>
struct Together {
  std::tuple<Groups&...> groups;
  void visit(ParamVisitor& visitor) {
    std::apply([&](auto&... each) { (each.visit(visitor), ...); }, groups);
  }
};
template <typename... Groups>
void set_all(const nb::dict& params, Groups&... groups) {
  Together<Groups...> all{std::tie(groups...)};
  set_params(all, params);
}

// (result, text, every number as a table, picture)
template <Result Study>
nb::tuple shown(const Study& study) {
  const StudyTables tables = study_tables(study);
  std::string text = table_text(tables.shown) + '\n';
  for (const std::string& note : tables.notes) text += note + '\n';
  return nb::make_tuple(result_of(study), text_of(text), table_of(tables.data),
                        text_of(study_picture(study).svg()), text_of(table_tsv(tables.data)));
}

nb::tuple ranks(const Call& call, const Given& given, const nb::dict& params) {
  RankStudyParams chosen;
  set_all(params, chosen);
  return shown(call.run([&](const Context& context) {
    return study_ranks(given.forests(), given.rows(0, context), chosen);
  }));
}

OutlierTrace trace(const Given& given, const Dataset& rows, const OutlierOptions& options,
                   const Context& context) {
  return trace_outliers(given.forests().front().forest, rows, options.resolve(), context);
}

struct OutlierSteps {
  int steps = 11;
  void visit(ParamVisitor& visitor) {
    visitor.field("steps", steps, "number of starts and ends of windows to try", Range{.low = 2});
  }
};

nb::tuple outliers(const Call& call, const Given& given, const nb::dict& params) {
  OutlierOptions options;
  OutlierSteps steps;
  set_all(params, options, steps);
  return shown(call.run([&](const Context& context) {
    const Dataset rows = given.rows(0, context);
    return study_outliers(trace(given, rows, options, context), rows.num_rows(),
                          static_cast<std::size_t>(steps.steps));
  }));
}

struct ShownDocuments {
  DocumentType type = DocumentType::kAll;
  void visit(ParamVisitor& visitor) { visitor.field("type", type, "documents to show"); }
};

nb::tuple hourglass(const Call& call, const Given& given, const nb::dict& params) {
  OutlierOptions options;
  ShownDocuments documents;
  set_all(params, options, documents);
  return shown(call.run([&](const Context& context) {
    const Dataset rows = given.rows(0, context);
    return study_hourglass(trace(given, rows, options, context), rows, documents.type);
  }));
}

nb::tuple breakdown(const Call& call, const Given& given, const nb::dict& params) {
  BreakdownParams chosen;
  set_all(params, chosen);
  chosen.check();
  return shown(call.run([&](const Context& context) {
    const std::vector<NamedForest> forests = given.forests();
    const Forest base =
        given.base == nullptr ? forests.front().forest : Given::forest(*given.base, "base");
    return study_breakdown(forests, base, given.rows(0, context), chosen, context);
  }));
}

nb::tuple leaf_scores(const Call& call, const Given& given, const nb::dict& params) {
  LeafScoreParams chosen;
  set_all(params, chosen);
  return shown(call.run([&](const Context& context) {
    return study_leaf_scores(given.forests(), given.rows(0, context), chosen, context);
  }));
}

nb::tuple noise(const Call& call, const Given& given, const nb::dict& params) {
  struct {
    NoiseStudyParams study;
    LambdamartParams trees;
    CleanParams clean;
    void visit(ParamVisitor& visitor) {
      study.visit(visitor);
      trees.visit(visitor);
      visitor.group("clean", clean);
    }
  } chosen;
  chosen.clean.method = CleanMethod::kSour;
  chosen.clean.type = Tunable<DocumentType>::by_default(DocumentType::kPos);
  chosen.trees.watch.train_metric = false;
  set_params(chosen, params);
  return shown(call.run([&](const Context& context) {
    const Dataset valid = given.like_train(*given.valid, context);
    const Dataset test = given.like_train(*given.test, context);
    return study_noise({given.train->rows(context), valid, test}, chosen.trees, chosen.clean,
                       chosen.study, context);
  }));
}

nb::tuple sampling(const Call& call, const Given& given, const nb::dict& params) {
  SamplingStudyParams study;
  LambdamartParams trees;
  trees.watch.train_metric = false;
  set_all(params, study, trees);
  return shown(call.run([&](const Context& context) {
    std::optional<Dataset> test;
    if (given.test != nullptr) test = given.like_train(*given.test, context);
    return study_sampling(given.train->rows(context), given.like_train(*given.valid, context),
                          test ? &*test : nullptr, trees, study, context);
  }));
}

nb::tuple interactions(const Call& call, const Given& given, const nb::dict& params) {
  InteractionStudyParams study;
  IlmartParams ilmart;
  ilmart.trees.watch.train_metric = false;
  set_all(params, study, ilmart);
  return shown(call.run([&](const Context& context) {
    return study_interactions(given.train->rows(context), given.like_train(*given.valid, context),
                              given.like_train(*given.test, context), ilmart, study, context);
  }));
}

// `methods`: explainers, or "label=explainer"; without it all are compared.
struct ComparedExplainers {
  AuditMethods methods;
  void visit(ParamVisitor& visitor) { methods.visit_explainers(visitor); }
};

nb::tuple explainers(const Call& call, const Given& given, const nb::dict& params) {
  TruthParams chosen;
  ComparedExplainers compared;
  nb::dict others;
  std::vector<std::string> names;
  for (const auto& [key, value] : params) {
    if (nb::cast<std::string>(key) != "methods") {
      others[key] = value;
    } else if (!value.is_none()) {
      names = param_texts("methods", value);
    }
  }
  compared.methods.choose(names.empty() ? names_in(explainer_table()) : names);
  set_all(others, chosen, compared);
  std::vector<NamedExplainer> borrowed;
  for (AuditMethod& method : compared.methods.get()) {
    borrowed.push_back({method.label, method.explainer.get()});
  }
  return shown(call.run([&](const Context& context) {
    const RankedRows rows(*given.models[0].second, *given.data[0].second, given.background,
                          context);
    const TruthShop shop{rows.subject, rows.data};
    return study_truth({&shop, 1}, borrowed, chosen, context);
  }));
}

nb::tuple curves(const Call& call, const Given& given, const nb::dict& params) {
  CurveParams chosen;
  set_all(params, chosen);
  return shown(call.run([&](const Context& context) {
    std::vector<NamedData> sets;
    for (std::size_t d = 0; d < given.data.size(); ++d) {
      sets.push_back({.name = given.data[d].first, .data = given.rows(d, context)});
    }
    CurveStudy study = study_curves(given.forests(), sets, chosen, context);
    choose_shown(study, chosen);
    return study;
  }));
}

struct BoundStudy {
  std::string_view name;
  nb::tuple (*run)(const Call&, const Given&, const nb::dict&);
  std::string_view needs;  // "data", of models; or "train"
};

constexpr std::array<BoundStudy, 10> kStudies = {{{"ranks", &ranks, "data"},
                                                  {"outliers", &outliers, "data"},
                                                  {"hourglass", &hourglass, "data"},
                                                  {"breakdown", &breakdown, "data"},
                                                  {"leaf-scores", &leaf_scores, "data"},
                                                  {"noise", &noise, "train"},
                                                  {"sampling", &sampling, "train"},
                                                  {"interactions", &interactions, "train"},
                                                  {"explainers", &explainers, "data"},
                                                  {"curves", &curves, "data"}}};

const BoundStudy& find_study(const std::string& name) {
  std::vector<std::string> known;
  for (const BoundStudy& each : kStudies) {
    if (each.name == name) return each;
    known.emplace_back(each.name);
  }
  throw Error(ErrorKind::kUsage, unknown_name_message("study", name, known));
}

template <typename T>
const T* pointer_to(const nb::dict& inputs, const char* name) {
  if (!inputs.contains(name) || inputs[name].is_none()) return nullptr;
  return &nb::cast<const T&>(inputs[name]);
}

// models and data: {name: Ranker}, {name: Data}; base, train, valid, test, background: one each.
nb::tuple study(const std::string& name, const Call& call, const nb::dict& inputs,
                const nb::dict& params) {
  Given given{.base = pointer_to<Ranker>(inputs, "base"),
              .train = pointer_to<Data>(inputs, "train"),
              .valid = pointer_to<Data>(inputs, "valid"),
              .test = pointer_to<Data>(inputs, "test"),
              .background = pointer_to<Data>(inputs, "background")};
  for (const auto& [key, value] : nb::cast<nb::dict>(inputs["models"])) {
    given.models.emplace_back(nb::cast<std::string>(key), &nb::cast<const Ranker&>(value));
  }
  for (const auto& [key, value] : nb::cast<nb::dict>(inputs["data"])) {
    given.data.emplace_back(nb::cast<std::string>(key), &nb::cast<const Data&>(value));
  }
  return find_study(name).run(call, given, params);
}

void write_study(const std::string& prefix, const std::string& tsv, const std::string& svg) {
  write_text_files({{{prefix + ".tsv", tsv}, {prefix + ".svg", svg}}});
}

}  // namespace

void bind_studies(nb::module_& core) {
  core.def("study", &study);
  core.def("study_needs",
           [](const std::string& name) { return std::string(find_study(name).needs); });
  core.def("write_study", &write_study);
}

}  // namespace glassrank::python
