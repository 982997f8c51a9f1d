#include "cli/compare_inputs.h"

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/metrics/convention_text.h"
#include "glassrank/metrics/metric.h"

namespace glassrank::cli {
namespace {

constexpr std::string_view kDefaultMetric = "ndcg@10";

std::vector<MetricSpec> metrics_or_default(const std::vector<std::string>& texts) {
  return parse_metrics(texts.empty() ? std::vector<std::string>{std::string(kDefaultMetric)}
                                     : texts);
}

}  // namespace

void CompareInputs::visit(ParamVisitor& visitor) {
  visitor.field("metric", metrics_,
                fmt::format("metrics to compare; by default {}, or every metric in the per-query "
                            "files",
                            kDefaultMetric),
                ParamStyle{.value_name = "METRIC"});
  rankings_.visit_sources(visitor);
  visitor.field("per_query", per_query_,
                "files of values per query, as evaluate --per-query or trec_eval -q write them",
                ParamStyle{.file = FileUse::kInput, .one_value = true});
  visitor.field("name", names_,
                "names of the systems, in their order; by default those of their files or features",
                ParamStyle{.value_name = "NAME", .one_value = true});
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
  // Files of values have been computed: by what, they do not say.
  if (!per_query_.empty()) refuse_unused(convention_, {});
  SystemsToCompare systems =
      per_query_.empty() ? load_rankings(context) : systems_of_files(per_query_, metrics_);
  rename(systems);
  return systems;
}

void CompareInputs::rename(SystemsToCompare& systems) const {
  if (names_.empty()) return;
  if (names_.size() != systems.names.size()) {
    fail(ErrorKind::kUsage, "--name is given {} times for {} systems; give one for each, in order",
         names_.size(), systems.names.size());
  }
  systems.names = names_;
}

SystemsToCompare CompareInputs::load_rankings(const Context& context) const {
  const std::vector<MetricSpec> metrics = metrics_or_default(metrics_);
  refuse_unused(convention_, metrics);
  SystemEvaluator systems(metrics, convention_.resolve(), context);
  rankings_.for_each(
      JoinOptions{.complete = true}, context,
      [&](const std::string& name, const ListSource& lists) { systems.add(name, lists); });
  return systems.take();
}

}  // namespace glassrank::cli
