// glassrank study breakdown: models on queries with and without outliers.

#include <fmt/format.h>

#include "cli/registry.h"
#include "cli/study/study_output.h"
#include "glassrank/base/error.h"
#include "glassrank/evaluation/evaluate_model.h"
#include "glassrank/models/io/formats.h"
#include "glassrank/report/studies/breakdown_study.h"
#include "glassrank/studies/outlier_trace.h"

namespace glassrank::cli {
namespace {

class StudyBreakdown final : public Command {
 public:
  std::string name() const override { return "study breakdown"; }
  std::string summary() const override {
    return "Compare models on queries with and without outliers";
  }
  std::vector<std::string> examples() const override {
    return {
        "glassrank study breakdown --base base.txt --model plain.txt --model cleaned.txt --data "
        "test.txt --type neg --out breakdown"};
  }

  void visit(ParamVisitor& visitor) override {
    visitor.field("model", models_, "models to compare, with the first one",
                  {.required = true, .value_name = "FILE", .one_value = true});
    visitor.field("base", base_, "model that decides on outliers; the first one if none is named",
                  {.value_name = "FILE"});
    visitor.field("data", data_, "data file", {.required = true, .value_name = "FILE"});
    files_.visit(visitor);
    visitor.field("metric", metric_, "what to compare by");
    visitor.field("type", type_, "outliers that put a query among Q_o");
    visitor.field("starts", starts_, "first trees of windows; empty: ten, evenly", Range{.low = 1});
    visitor.field("end", end_, "last tree of the windows; 0: the base model's last", kNotNegative);
    visitor.field("permutations", permutations_, "of Fisher's test", Range{.low = 1});
    outliers_.visit(visitor);
    convention_.visit(visitor);
    visitor.group("read", read_);
  }

  void run(const Context& context, Output& output) override {
    std::vector<std::string> inputs = models_;
    inputs.push_back(data_);
    if (!base_.empty()) inputs.push_back(base_);
    files_.check(inputs);
    if (models_.size() < 2)
      fail(ErrorKind::kUsage, "give --model twice or more: one to compare with");
    const MetricSpec metric = parse_metric(metric_);
    const Convention convention = convention_.resolve();
    const StudyInputs loaded = load_study_inputs(models_, data_, read_, context);
    const Forest base = base_forest(loaded, context);
    const std::size_t end = window_end(1, end_, base.trees().size());
    std::vector<std::vector<double>> values;
    for (const Model& model : loaded.models) {
      values.push_back(
          evaluate_model(*make_scorer(model), loaded.data, std::vector{metric}, convention, context)
              .metrics.front()
              .values);
    }
    files_.write(breakdown_study(break_down(loaded, base, end, values, context)), output);
  }

 private:
  Forest base_forest(const StudyInputs& loaded, const Context& context) const {
    if (base_.empty()) return loaded.forest(0);
    Forest base = study_forest(load_model(base_, context), base_);
    if (base.num_features() > loaded.data.num_features()) {
      fail(ErrorKind::kInput, "{} has {} features, {} only {}", base_, base.num_features(), data_,
           loaded.data.num_features());
    }
    return base;
  }

  std::vector<std::size_t> starts(std::size_t end) const {
    std::vector<std::size_t> rounds;
    for (const double start : starts_) {
      if (start != static_cast<double>(static_cast<std::size_t>(start))) {
        fail(ErrorKind::kUsage, "--starts {} is not the number of a tree, counted from 1", start);
      }
      rounds.push_back(static_cast<std::size_t>(start));
      window_end(static_cast<int>(start), static_cast<int>(end), end);
    }
    return starts_.empty() ? even_rounds(end, 11) : rounds;
  }

  Breakdown break_down(const StudyInputs& loaded, const Forest& base, std::size_t end,
                       const std::vector<std::vector<double>>& values,
                       const Context& context) const {
    const OutlierTrace trace = trace_outliers(base, loaded.data, outliers_.resolve(), context);
    const std::vector<bool> every(loaded.data.num_queries(), true);
    Breakdown breakdown{.metric = metric_,
                        .models = loaded.names,
                        .end = end,
                        .all = quality_on("all", values, every, permutations_, context),
                        .windows = {}};
    for (const std::size_t start : starts(end)) {
      std::vector<bool> with =
          queries_with(loaded.data.queries(), consistent_rows(trace, start, end, type_));
      WindowQuality window{.start = start};
      window.with_outliers = quality_on("Q_o", values, with, permutations_, context);
      with.flip();
      window.without = quality_on("Q_c", values, with, permutations_, context);
      breakdown.windows.push_back(std::move(window));
    }
    return breakdown;
  }

  std::vector<std::string> models_;
  std::string base_;
  std::string data_;
  StudyFiles files_;
  std::string metric_ = "ndcg@10";
  DocumentType type_ = DocumentType::kAll;
  std::vector<double> starts_;
  int end_ = 0;
  std::uint64_t permutations_ = 100'000;
  OutlierOptions outliers_;
  ConventionChoice convention_;
  ReadParams read_;
};

}  // namespace

std::unique_ptr<Command> make_study_breakdown_command() {
  return std::make_unique<StudyBreakdown>();
}

}  // namespace glassrank::cli
