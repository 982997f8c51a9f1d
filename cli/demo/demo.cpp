// glassrank demo: the main job on the embedded book shop, ending with a report.

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/demo/demo_cleaning.h"
#include "cli/demo/demo_glassbox.h"
#include "cli/demo/demo_report.h"
#include "cli/registry.h"
#include "glassrank/base/atomic_file.h"
#include "glassrank/base/folders.h"
#include "glassrank/data/io/svmlight/svmlight_writer.h"
#include "glassrank/data/stats.h"
#include "glassrank/data/synth/bookshop.h"
#include "glassrank/evaluation/feature_scores.h"
#include "glassrank/explain/importance.h"
#include "glassrank/methods/lambdamart/lambdamart.h"
#include "glassrank/metrics/evaluate.h"
#include "glassrank/models/display_names.h"
#include "glassrank/models/forest/forest_scorer.h"
#include "glassrank/models/forest/forest_summary.h"
#include "glassrank/models/forest/tree_text.h"
#include "glassrank/models/io/formats.h"
#include "glassrank/models/scorer.h"

namespace glassrank::cli {
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

Forest train_ranker(const Bookshop& shop, const ForestSize& size, const Context& context) {
  return train_lambdamart(shop.train, &shop.valid, params_of(size), context).forest;
}

std::string grades_text(const DataStats& stats) {
  std::string text;
  for (const auto& [grade, count] : stats.grades) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", grade, count);
  }
  return text;
}

ReportTable parts_table(const std::vector<std::pair<std::string, const Dataset*>>& parts,
                        const Context& context) {
  ReportTable table{.header = {"part", "queries", "books", "features", "missing", "grades"},
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

class DemoCommand final : public Command {
 public:
  std::string name() const override { return "demo"; }
  std::string summary() const override {
    return "The main job on an embedded data set of book searches, ending with a report";
  }
  void visit(ParamVisitor& visitor) override {
    visitor.field("out", out_, "folder for the data and the report", {.value_name = "FOLDER"});
  }

  std::string results() const override { return results_markdown<DemoResult>(); }
  void run(const Context& context, Output& output) override {
    make_folder(out_);
    const Bookshop shop = make_bookshop({}, context.seed);
    write_data(shop, context);
    std::vector<FeatureRanker> rankers = rank_features(shop.train, context);
    rankers.resize(std::min(rankers.size(), kNumRankers));
    const Forest forest = train_ranker(shop, kWhole, context);
    const Forest small = train_ranker(shop, kSmall, context);
    const DemoCleaning cleaning = clean_bookshop(shop, params_of(kWhole), forest, context);
    const DemoGlassbox glassbox = train_glassbox(shop, params_of(kWhole), context);
    const std::vector<DemoModel> models = {
        {"lambdamart",
         "model.txt",
         "native",
         {.body = forest, .provenance = {}},
         forest_note(forest)},
        {std::string(kCleanedName),
         "cleaned.txt",
         "native",
         {.body = cleaning.forest, .provenance = {}},
         forest_note(cleaning.forest) + ", without the books SOUR found"},
        {std::string(kGlassboxName),
         "glassbox.json",
         "gam-json",
         {.body = glassbox.gam, .provenance = {}},
         fmt::format("ILMART: the sum of {} curves and {} surfaces", glassbox.num_curves,
                     glassbox.num_surfaces)},
        {"small", "small.txt", "native", {.body = small, .provenance = {}}, forest_note(small)}};
    for (const DemoModel& each : models) {
      save_model(path(each.file), each.model, each.format, context);
    }
    for (const DemoEffect& effect : glassbox.effects) {
      write_text_file(path(effect.file), effect.picture.svg());
    }
    const DemoFindings findings{
        .folder = out_,
        .parts = parts_table({{"train", &shop.train}, {"valid", &shop.valid}, {"test", &shop.test}},
                             context),
        .system_notes = notes(models, rankers.size()),
        .comparison = compare_on(shop.test, models, rankers, context),
        .cleaning = cleaning,
        .glassbox = glassbox,
        .explanations = explain_bookshop(shop, models.front().model, context),
        .importance = importance_on(shop.test, forest, context),
        .tree = tree_text(forest, 0, display_names(forest, shop.test.feature_names())),
        .commands = commands(),
        .report_path = path("report.html")};
    demo_report(findings).write(findings.report_path);
    output.out << (output.json ? json_text(demo_result(findings)) : demo_text(findings));
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

  static std::string forest_note(const Forest& forest) {
    const ForestSummary summary = summarise(forest);
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

  std::string commands() const {
    return fmt::format(
        "glassrank train --train {0} --valid {1} --out {3} \\\n"
        "  --num-trees {4} --num-leaves {5} --learning-rate {6} --patience 50\n"
        "glassrank train --train {0} --valid {1} --out {8} \\\n"
        "  --num-trees {4} --num-leaves {5} --learning-rate {6} --patience 50 --clean sour \\\n"
        "  --clean.type neg\n"
        "glassrank train --method ilmart --train {0} --valid {1} --out {9} \\\n"
        "  --num-trees {10} --num-leaves {11} --learning-rate {6} --patience 50 \\\n"
        "  --num-interactions {12} --model-format gam-json\n"
        "glassrank compare --data {2} --model {3} --model {8} --model {9} --model {7}\n"
        "glassrank explain --data {2} --model {3} --background {0} --method {13}\n"
        "glassrank explain --data {2} --model {3} --background {0} --pair rank:1,rank:2\n"
        "glassrank audit --data {2} --model {3} --background {0} \\\n"
        "  --methods tree-shap,lirme,{13} --queries {14}\n"
        "glassrank inspect --data {2} --model {3}\n"
        "glassrank inspect --verify --model {9}\n",
        path("train.txt"), path("valid.txt"), path("test.txt"), path("model.txt"), kWhole.num_trees,
        kWhole.num_leaves, kWhole.learning_rate, path("small.txt"), path("cleaned.txt"),
        path("glassbox.json"), kGlassboxTrees, kGlassboxLeaves, kGlassboxPairs, kDemoSetExplainer,
        kDemoAuditQueries);
  }

  std::string out_ = "glassrank-demo";
};

}  // namespace

std::unique_ptr<Command> make_demo_command() { return std::make_unique<DemoCommand>(); }

}  // namespace glassrank::cli
