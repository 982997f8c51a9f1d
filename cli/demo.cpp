// glassrank demo: the main job on the embedded book shop, ending with a report.

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/feature_scores.h"
#include "cli/registry.h"
#include "glassrank/base/atomic_file.h"
#include "glassrank/base/error.h"
#include "glassrank/base/folders.h"
#include "glassrank/base/json.h"
#include "glassrank/data/io/svmlight_writer.h"
#include "glassrank/data/stats.h"
#include "glassrank/data/synth/bookshop.h"
#include "glassrank/methods/lambdamart.h"
#include "glassrank/metrics/compare.h"
#include "glassrank/metrics/compare_report.h"
#include "glassrank/metrics/evaluate.h"
#include "glassrank/models/forest_scorer.h"
#include "glassrank/models/io/formats.h"
#include "glassrank/report/html_report.h"

namespace glassrank::cli {
namespace {

constexpr std::size_t kNumShown = 5;

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

Forest train_ranker(const Bookshop& shop, const Context& context) {
  LambdamartParams params;
  params.boosting.num_trees = 500;
  params.boosting.num_leaves = 16;
  params.boosting.learning_rate = 0.05;
  params.patience = 50;
  return train_lambdamart(shop.train, &shop.valid, params, context).forest;
}

// Features by the gain of the splits on them, largest first, as shares of all gain.
ReportTable importance_table(const Forest& forest, std::span<const std::string> names) {
  std::vector<std::pair<double, std::string>> gains;
  for (const std::string& name : names) gains.emplace_back(0.0, name);
  double total = 0;
  for (const Tree& tree : forest.trees()) {
    for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
      gains[tree.nodes[n].feature].first += tree.statistics.node_gain[n];
      total += tree.statistics.node_gain[n];
    }
  }
  std::ranges::stable_sort(gains, std::greater<>(), [](const auto& gain) { return gain.first; });
  ReportTable table{.header = {"feature", "share of the gain"}, .rows = {}};
  for (std::size_t i = 0; i < std::min(gains.size(), 2 * kNumShown); ++i) {
    table.rows.push_back({gains[i].second, fmt::format("{:.1f} %", 100 * gains[i].first / total)});
  }
  return table;
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

std::string text_table(const ReportTable& table) {
  std::vector<std::size_t> widths(table.header.size());
  const auto widen = [&](const std::vector<std::string>& row) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  };
  widen(table.header);
  for (const auto& row : table.rows) widen(row);
  std::string text;
  const auto print = [&](const std::vector<std::string>& row) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      text += fmt::format("  {:<{}}", row[c], c + 1 < row.size() ? widths[c] : 0);
    }
    text += '\n';
  };
  print(table.header);
  for (const auto& row : table.rows) print(row);
  return text;
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

  void run(const Context& context, Output& output) override {
    make_folder(out_);
    const Bookshop shop = make_bookshop({}, context.seed);
    write_data(shop, context);
    const ReportTable parts = parts_table(
        {{"train", &shop.train}, {"valid", &shop.valid}, {"test", &shop.test}}, context);
    std::vector<FeatureRanker> rankers = rank_features(shop.train, context);
    rankers.resize(std::min(rankers.size(), kNumShown));
    const Forest forest = train_ranker(shop, context);
    save_model(path("model.txt"), {.body = forest, .provenance = {}}, "native", context);
    const Comparison comparison = compare(shop.test, forest, rankers, context);
    const ReportTable importance = importance_table(forest, shop.train.feature_names());
    const std::string report = write_report(parts, comparison, importance);
    print(parts, comparison, importance, report, output);
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

  // On the test part, which had no say in the model or in the choice of features.
  static Comparison compare(const Dataset& test, const Forest& forest,
                            const std::vector<FeatureRanker>& rankers, const Context& context) {
    std::vector<double> scores(test.num_rows());
    ForestScorer(forest).score(test.features(), scores, context);
    std::vector<std::string> names = {"lambdamart"};
    SystemValues values{.metric = "ndcg@10", .values = {ndcg_per_query(test, scores, context)}};
    for (const FeatureRanker& ranker : rankers) {
      names.push_back(ranker.name);
      values.values.push_back(ndcg_per_query(test, feature_scores(test, ranker.name), context));
    }
    CompareParams params;
    params.baseline = names.front();
    return compare_systems(names, std::vector{values}, params, context);
  }

  std::string write_report(const ReportTable& parts, const Comparison& comparison,
                           const ReportTable& importance) const {
    HtmlReport report("Ranking books");
    report.paragraph(
        "Searches in an invented book shop. Each book found for a search has a grade from 0 (not "
        "wanted) to 4 (just what was looked for); a good ranking puts high grades first.");
    report.heading("The data");
    report.table(parts);
    report.heading("How good the ranking is");
    report.paragraph(
        "A LambdaMART model, and the single features that rank the training searches best, each in "
        "its better direction; all measured on the test searches: NDCG@10 with a 95 % bootstrap "
        "interval.");
    std::vector<ReportBar> bars;
    for (std::size_t s = 0; s < comparison.systems.size(); ++s) {
      const SystemMean& mean = comparison.metrics.front().systems[s];
      bars.push_back({.label = comparison.systems[s],
                      .value = mean.mean,
                      .low = mean.interval.low,
                      .high = mean.interval.high,
                      .text = fmt::format("{:.4f}", mean.mean)});
    }
    report.bars(bars);
    report.heading("Which differences are real");
    report.command(comparison_table(comparison));
    report.heading("What the model uses most");
    report.table(importance);
    report.heading("The same by hand");
    report.command(
        fmt::format("glassrank train --train {} --valid {} --test {} --out {} \\\n"
                    "  --num-trees 500 --num-leaves 16 --learning-rate 0.05 --patience 50",
                    path("train.txt"), path("valid.txt"), path("test.txt"), path("model.txt")));
    const std::string file = path("report.html");
    report.write(file);
    return file;
  }

  void print(const ReportTable& parts, const Comparison& comparison, const ReportTable& importance,
             const std::string& report, Output& output) const {
    if (output.json) {
      Json json;
      json["folder"] = out_;
      json["report"] = report;
      for (std::size_t s = 0; s < comparison.systems.size(); ++s) {
        json["test_ndcg@10"][comparison.systems[s]] = comparison.metrics.front().systems[s].mean;
      }
      output.out << json.dump(2) << '\n';
      return;
    }
    output.out << "Searches in a book shop, written to " << out_ << ":\n"
               << text_table(parts)
               << "\nA LambdaMART model and the best single features, measured on the test "
                  "searches:\n\n"
               << comparison_table(comparison) << "\nWhat the model uses most:\n"
               << text_table(importance) << "\nReport: " << report << '\n';
  }

  std::string out_ = "glassrank-demo";
};

}  // namespace

std::unique_ptr<Command> make_demo_command() { return std::make_unique<DemoCommand>(); }

}  // namespace glassrank::cli
