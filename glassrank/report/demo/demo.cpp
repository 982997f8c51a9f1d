#include "glassrank/report/demo/demo.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "glassrank/base/atomic_file.h"
#include "glassrank/base/command_text.h"
#include "glassrank/base/folders.h"
#include "glassrank/data/io/svmlight/svmlight_writer.h"
#include "glassrank/data/stats.h"
#include "glassrank/data/synth/bookshop.h"
#include "glassrank/evaluation/feature_scores.h"
#include "glassrank/explain/audit/audit_report.h"
#include "glassrank/explain/importance.h"
#include "glassrank/methods/lambdamart/lambdamart.h"
#include "glassrank/methods/registry.h"
#include "glassrank/methods/training/trained_model.h"
#include "glassrank/metrics/evaluate.h"
#include "glassrank/models/display_names.h"
#include "glassrank/models/forest/forest_scorer.h"
#include "glassrank/models/forest/forest_summary.h"
#include "glassrank/models/io/formats.h"
#include "glassrank/models/scorer.h"
#include "glassrank/report/bundle/make_bundle.h"
#include "glassrank/report/demo/demo_cleaning.h"
#include "glassrank/report/demo/demo_glassbox.h"
#include "glassrank/report/demo/demo_report.h"
#include "glassrank/report/page/report_page.h"

namespace glassrank {
namespace {

constexpr std::size_t kNumRankers = 3;

struct DemoModel {
  std::string name;
  std::string file;  // within the demo's folder
  std::string format;
  Model model;
  std::string note;  // what it is
};

struct ForestSize {
  int num_trees = 0;
  int num_leaves = 0;
  double learning_rate = 0;
};

// A ranking by one feature: "name", or "-name" for the smallest value first.
struct FeatureRanker {
  std::string name;
  double train_ndcg = 0;
};

std::vector<double> ndcg_per_query(const Dataset& data, const std::vector<double>& scores,
                                   const Context& context) {
  const std::vector<MetricSpec> metric = {parse_metric("ndcg@10")};
  return evaluate(DatasetLists(data, scores), metric, Convention{}, context).metrics.front().values;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

// Every feature in its better direction, best on the training part first.
std::vector<FeatureRanker> rank_features(const Dataset& train, const Context& context) {
  std::vector<FeatureRanker> rankers;
  for (const std::string& name : train.feature_names()) {
    const double down = mean(ndcg_per_query(train, feature_scores(train, name), context));
    const double up = mean(ndcg_per_query(train, feature_scores(train, "-" + name), context));
    rankers.push_back({.name = down >= up ? name : "-" + name, .train_ndcg = std::max(down, up)});
  }
  std::ranges::stable_sort(rankers, std::greater<>(), &FeatureRanker::train_ndcg);
  return rankers;
}

// The whole model, and one small enough to be read in full.
constexpr ForestSize kWhole = {.num_trees = 500, .num_leaves = 16, .learning_rate = 0.05};
constexpr ForestSize kSmall = {.num_trees = 10, .num_leaves = 8, .learning_rate = 0.3};

LambdamartParams params_of(const ForestSize& size) {
  LambdamartParams params;
  params.boosting.num_trees = size.num_trees;
  params.boosting.num_leaves = size.num_leaves;
  params.boosting.learning_rate = size.learning_rate;
  params.patience = 50;
  return params;
}

Model train_ranker(const TrainInputs& inputs, const ForestSize& size, const Context& context) {
  return train_model(*make_lambdamart(params_of(size)), inputs, {}, context).model;
}

std::string grades_text(const DataStats& stats) {
  std::string text;
  for (const auto& [grade, count] : stats.grades) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", grade, count);
  }
  return text;
}

DemoTable parts_table(const std::vector<std::pair<std::string, const Dataset*>>& parts,
                      const Context& context) {
  DemoTable table{.header = {"part", "queries", "books", "features", "missing", "grades"},
                  .rows = {}};
  for (const auto& [name, data] : parts) {
    const DataStats stats = data_stats(*data, {}, context);
    table.rows.push_back({name, fmt::format("{}", stats.num_queries),
                          fmt::format("{}", stats.num_rows), fmt::format("{}", stats.num_features),
                          fmt::format("{}", stats.missing), grades_text(stats)});
  }
  return table;
}

// On the test part, which had no say in the models or in the choice of features.
Comparison compare_on(const Dataset& test, const std::vector<DemoModel>& models,
                      const std::vector<FeatureRanker>& rankers, const Context& context) {
  std::vector<std::string> names;
  SystemValues values{.metric = "ndcg@10", .values = {}};
  for (const DemoModel& each : models) {
    names.push_back(each.name);
    values.values.push_back(
        ndcg_per_query(test, score_all(*make_scorer(each.model), test, context), context));
  }
  for (const FeatureRanker& ranker : rankers) {
    names.push_back(ranker.name);
    values.values.push_back(ndcg_per_query(test, feature_scores(test, ranker.name), context));
  }
  CompareParams params;
  params.baseline = names.front();
  return compare_systems(names, std::vector{values}, params, context);
}

Importance importance_on(const Dataset& test, const Forest& forest, const Context& context) {
  return {.names = display_names(forest, test.feature_names()),
          .permutation = permutation_importance(ForestScorer(forest), test, {}, {}, context),
          .gain = gain_importance(forest),
          .splits = split_importance(forest)};
}

class Demo {
 public:
  Demo(std::string folder, std::string date, const Context& context)
      : out_(std::move(folder)), date_(std::move(date)), context_(context) {}

  DemoFindings run() const {
    make_folder(out_);
    const Bookshop shop = make_bookshop({}, context_.seed, context_);
    write_data(shop, context_);
    std::vector<FeatureRanker> rankers = rank_features(shop.train, context_);
    rankers.resize(std::min(rankers.size(), kNumRankers));
    const TrainInputs inputs = train_inputs(shop);
    const Model whole = train_ranker(inputs, kWhole, context_);
    const Model small = train_ranker(inputs, kSmall, context_);
    const Forest forest = require_forest(whole, "the demo");
    const DemoCleaning cleaning = clean_bookshop(shop, inputs, params_of(kWhole), context_);
    const DemoGlassbox glassbox = train_glassbox(inputs, params_of(kWhole), context_);
    const std::vector<DemoModel> models = {
        {"lambdamart", "model.txt", "native", whole, forest_note(whole)},
        {std::string(kCleanedName), "cleaned.txt", "native", cleaning.model,
         forest_note(cleaning.model) + ", without the books SOUR found"},
        {std::string(kGlassboxName),
         "glassbox.json",
         "gam-json",
         {.body = glassbox.gam, .provenance = glassbox.provenance},
         fmt::format("ILMART: the sum of {} curves and {} surfaces", glassbox.num_curves,
                     glassbox.num_surfaces)},
        {"small", "small.txt", "native", small, forest_note(small)}};
    for (const DemoModel& each : models) {
      save_model(path(each.file), each.model, each.format, context_);
    }
    for (const DemoEffect& effect : glassbox.effects) {
      write_text_file(path(effect.file), effect.picture.svg());
    }
    const ReportBundle bundle = make_page(shop, models, context_);
    DemoFindings findings{
        .folder = out_,
        .parts = parts_table({{"train", &shop.train}, {"valid", &shop.valid}, {"test", &shop.test}},
                             context_),
        .system_notes = notes(models, rankers.size()),
        .comparison = compare_on(shop.test, models, rankers, context_),
        .cleaning = cleaning,
        .glassbox = glassbox,
        .explanations = explain_bookshop(shop, models.front().model, context_),
        .importance = importance_on(shop.test, forest, context_),
        .audit = audit_text(*bundle.audit),
        .report_path = path("report.html")};
    write_report(findings.report_path, bundle);
    return findings;
  }

 private:
  std::string path(const std::string& file) const {
    return (std::filesystem::path(out_) / file).string();
  }

  void write_data(const Bookshop& shop, const Context& context) const {
    AtomicFile truth(path("truth.json"));
    truth.write(bookshop_truth_json(shop));
    truth.finish();
    SvmlightFiles files;
    for (const auto& [file, data] : {std::pair{"train.txt", &shop.train},
                                     {"valid.txt", &shop.valid},
                                     {"test.txt", &shop.test}}) {
      files.add(path(file), DatasetView(*data), {}, context);
    }
    files.commit();
    truth.commit();
  }

  // With the files that hold them as names, so that the models tell what they were made from.
  TrainInputs train_inputs(const Bookshop& shop) const {
    TrainInputs inputs = make_inputs(TrainingData(shop.train), path("train.txt"), context_);
    add_valid(inputs, {.name = path("valid.txt"), .data = shop.valid}, context_);
    return inputs;
  }

  static std::string forest_note(const Model& model) {
    const ForestSummary summary = summarise(require_forest(model, "the demo"));
    return fmt::format("LambdaMART, {} trees of at most {} leaves, {} features used",
                       summary.num_trees, summary.most_leaves, summary.used.size());
  }

  static std::vector<std::string> notes(const std::vector<DemoModel>& models,
                                        std::size_t num_rankers) {
    std::vector<std::string> texts;
    for (const DemoModel& each : models) texts.push_back(each.note);
    texts.resize(texts.size() + num_rankers, "this feature alone, among the best in training");
    return texts;
  }

  // The plain model, the glass box and the cleaned one; the small one is for the terminal.
  ReportBundle make_page(const Bookshop& shop, const std::vector<DemoModel>& models,
                         const Context& context) const {
    ReportTask task{.models = {},
                    .data = shop.test,
                    .data_file = path("test.txt"),
                    .train = shop.train,
                    .train_file = path("train.txt"),
                    .date = date_};
    for (const std::size_t m : {0, 2, 1}) {
      task.models.push_back({.name = models[m].name,
                             .file = path(models[m].file),
                             .format = models[m].format,
                             .model = models[m].model});
    }
    ReportParams params;
    params.title = "Ranking books in an invented shop";
    params.audit_queries = kDemoAuditQueries;
    task.command = report_command(task, params, context);
    return make_bundle(task, params, context);
  }

  // That makes the same page from the files.
  std::string report_command(const ReportTask& task, const ReportParams& params,
                             const Context& context) const {
    std::string text = "glassrank report";
    for (const ReportModel& model : task.models) {
      text += fmt::format(" --model {} --name {}", shell_word(model.file), shell_word(model.name));
    }
    text += fmt::format(" --data {} --train {} --out {}{}", shell_word(task.data_file),
                        shell_word(task.train_file), shell_word(path("report.html")),
                        given_options(list_params(params), list_params(ReportParams())));
    return context.seed == 0 ? text : fmt::format("{} --seed {}", text, context.seed);
  }

  std::string out_;
  std::string date_;
  const Context& context_;
};

}  // namespace

DemoFindings run_demo(const std::string& folder, const std::string& date, const Context& context) {
  return Demo(folder, date, context).run();
}

}  // namespace glassrank
