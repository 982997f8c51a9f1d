#include "cli/compare_inputs.h"

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/metrics/evaluate.h"
#include "glassrank/metrics/per_query_file.h"

namespace glassrank::cli {
namespace {

constexpr std::string_view kDefaultMetric = "ndcg@10";

// Collects one system after the other, metric by metric.
class Collector {
 public:
  Collector(std::vector<MetricSpec> metrics, const Convention& convention, const Context& context)
      : metrics_(std::move(metrics)), convention_(convention), context_(context) {
    for (const MetricSpec& metric : metrics_) {
      result_.metrics.push_back({.metric = to_text(metric), .values = {}});
    }
    result_.convention = to_text(convention);
  }

  void add(std::string name, const ListSource& lists) {
    Evaluation evaluation = evaluate(lists, metrics_, convention_, context_);
    result_.names.push_back(std::move(name));
    for (std::size_t m = 0; m < metrics_.size(); ++m) {
      result_.metrics[m].values.push_back(std::move(evaluation.metrics[m].values));
    }
  }

  SystemsToCompare take() { return std::move(result_); }

 private:
  std::vector<MetricSpec> metrics_;
  const Convention& convention_;
  const Context& context_;
  SystemsToCompare result_;
};

std::vector<MetricSpec> metrics_or_default(const std::vector<std::string>& texts) {
  return parse_metrics(texts.empty() ? std::vector<std::string>{std::string(kDefaultMetric)}
                                     : texts);
}

}  // namespace

void CompareInputs::visit(ParamVisitor& visitor) {
  visitor.field("metric", metrics_,
                fmt::format("what to compare on, for example {}; none: that one, or all of the "
                            "per-query files",
                            kDefaultMetric),
                ParamStyle{.value_name = "METRIC"});
  rankings_.visit_sources(visitor);
  visitor.field("per_query", per_query_,
                "values as evaluate --per-query or trec_eval -q write them",
                ParamStyle{.file = FileUse::kInput, .one_value = true});
  convention_.visit(visitor);
  rankings_.visit_reading(visitor);
}

SystemsToCompare CompareInputs::load(const Context& context) const {
  const int num_kinds = (per_query_.empty() ? 0 : 1) + (rankings_.num_runs() == 0 ? 0 : 1) +
                        (rankings_.num_on_data() == 0 ? 0 : 1);
  if (num_kinds != 1) {
    fail(ErrorKind::kUsage,
         "compare needs systems of one kind: --model, --scores and --feature with --data, --run "
         "with --qrels, or --per-query");
  }
  rankings_.check();
  return per_query_.empty() ? load_rankings(context) : load_per_query();
}

SystemsToCompare CompareInputs::load_per_query() const {
  std::vector<PerQueryFile> files;
  for (const std::string& path : per_query_) files.push_back(read_per_query(path));
  return {.names = names_of_files(per_query_),
          .metrics = align_per_query(files, metrics_),
          .convention = {}};
}

SystemsToCompare CompareInputs::load_rankings(const Context& context) const {
  const Convention convention = convention_.resolve();
  Collector collector(metrics_or_default(metrics_), convention, context);
  rankings_.for_each(
      JoinOptions{.complete = true}, context,
      [&](const std::string& name, const ListSource& lists) { collector.add(name, lists); });
  return collector.take();
}

}  // namespace glassrank::cli
