#include "glassrank/explain/audit/audit_result.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "glassrank/explain/audit/box_summary.h"

namespace glassrank {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

template <typename E>
std::string enum_name(E value) {
  for (const auto& [name, choice] : EnumNames<E>::table()) {
    if (choice == value) return std::string(name);
  }
  return {};
}

bool has_measure(const AuditCase& audited, const Measure& measure) {
  return audited.document.has_value() == measure.is_of_documents;
}

// Of one method and one measure.
struct Values {
  std::vector<double> answers;  // those that may have the measure; NaN: have no value
  std::vector<double> queries;  // by audited query; NaN: has no value
};

Values values_of(const AuditCases& cases, std::size_t method, std::size_t measure) {
  Values values{.answers = {}, .queries = std::vector<double>(cases.queries.size(), kNone)};
  std::map<std::size_t, std::vector<double>> by_query;
  for (const AuditCase& audited : cases.cases) {
    if (audited.method != method || !has_measure(audited, cases.measures[measure])) continue;
    values.answers.push_back(audited.values[measure]);
    by_query[audited.query].push_back(audited.values[measure]);
  }
  for (std::size_t q = 0; q < cases.queries.size(); ++q) {
    const BoxSummary spread = box_summary(by_query[cases.queries[q]]);
    if (spread.count > 0) values.queries[q] = spread.mean;
  }
  return values;
}

MeasureMean mean_of_measure(const std::string& name, const Values& values) {
  const BoxSummary of_queries = box_summary(values.queries);
  const BoxSummary of_answers = box_summary(values.answers);
  return {.measure = name,
          .mean = of_queries.mean,
          .standard_error = of_queries.standard_error(),
          .standard_deviation = of_answers.standard_deviation,
          .num_queries = of_queries.count,
          .num_undefined = values.answers.size() - of_answers.count,
          .p_best = {}};
}

// The comparison of those that have values; nothing where there are not two or they share no query.
std::optional<MetricComparison> compare(const std::vector<std::string>& labels,
                                        std::vector<std::vector<double>> values,
                                        const CompareParams& params, const Context& context) {
  if (labels.size() < 2) return std::nullopt;
  const auto is_shared = [&](std::size_t q) {
    return std::ranges::none_of(values, [&](const auto& v) { return std::isnan(v[q]); });
  };
  std::size_t shared = 0;
  for (std::size_t q = 0; q < values.front().size(); ++q) shared += is_shared(q) ? 1 : 0;
  if (shared == 0) return std::nullopt;
  const SystemValues input{.metric = "measure", .values = std::move(values)};
  return std::move(compare_systems(labels, {&input, 1}, params, context).metrics.front());
}

class Summary {
 public:
  Summary(const AuditParams& params, AuditResult& result, const Context& context)
      : params_(params), result_(result), context_(context) {}

  void add_measure(std::size_t number) {
    const Measure& measure = result_.cases.measures[number];
    std::vector<std::size_t> methods;  // that have a value
    std::vector<std::string> labels;
    std::vector<std::vector<double>> values;
    for (std::size_t m = 0; m < result_.methods.size(); ++m) {
      Values of_method = values_of(result_.cases, m, number);
      const MeasureMean mean = mean_of_measure(measure.name, of_method);
      if (mean.num_queries == 0) continue;
      result_.methods[m].measures.push_back(mean);
      methods.push_back(m);
      labels.push_back(result_.methods[m].method);
      values.push_back(std::move(of_method.queries));
    }
    if (methods.empty()) return;
    const auto comparison = compare(labels, std::move(values), params_.compare, context_);
    mark_best(methods, measure.higher_is_better, comparison);
    if (!comparison) return;
    for (const PairComparison& pair : comparison->pairs) {
      result_.differences.push_back({.measure = measure.name,
                                     .a = labels[pair.a],
                                     .b = labels[pair.b],
                                     .num_queries = comparison->num_queries,
                                     .mean_difference = pair.mean_difference,
                                     .p = pair.p.two_sided,
                                     .corrected_p = pair.corrected_p,
                                     .significant = pair.significant});
    }
  }

  void add_depths(std::size_t number) {
    const Measure& measure = result_.cases.measures[number];
    if (!measure.is_of_documents) return;
    for (std::size_t m = 0; m < result_.methods.size(); ++m) {
      std::vector<double> depths;
      std::vector<double> values;
      for (const AuditCase& audited : result_.cases.cases) {
        if (audited.method != m || !audited.document) continue;
        depths.push_back(audited.depth);
        values.push_back(audited.values[number]);
      }
      DepthAnalysis analysis = by_path_depth(depths, values);
      if (analysis.groups.empty()) continue;
      result_.depths.push_back({result_.methods[m].method, measure.name, std::move(analysis)});
    }
  }

 private:
  void mark_best(std::span<const std::size_t> methods, bool higher_is_better,
                 const std::optional<MetricComparison>& comparison) {
    const auto mean = [&](std::size_t i) {
      return result_.methods[methods[i]].measures.back().mean;
    };
    std::size_t best = 0;
    for (std::size_t i = 1; i < methods.size(); ++i) {
      if (higher_is_better ? mean(i) > mean(best) : mean(i) < mean(best)) best = i;
    }
    MeasureMean& first = result_.methods[methods[best]].measures.back();
    first.is_best = true;
    if (!comparison) return;
    first.is_clearly_best = true;
    for (std::size_t i = 0; i < methods.size(); ++i) {
      if (i == best) continue;
      const PairComparison* pair = comparison->find(i, best);
      result_.methods[methods[i]].measures.back().p_best = pair->corrected_p;
      first.is_clearly_best = first.is_clearly_best && pair->significant;
    }
  }

  const AuditParams& params_;
  AuditResult& result_;
  const Context& context_;
};

std::size_t count_documents(const AuditCases& cases) {
  std::vector<std::pair<std::size_t, std::uint32_t>> documents;
  for (const AuditCase& audited : cases.cases) {
    if (audited.document) documents.emplace_back(audited.query, *audited.document);
  }
  std::ranges::sort(documents);
  const auto rest = std::ranges::unique(documents);
  return documents.size() - rest.size();
}

AuditedMethod describe(const AuditMethod& method, const AuditParams& params) {
  AuditMethod copy{.label = method.label,
                   .explainer = method.explainer->clone(),
                   .aggregation = method.aggregation};
  set_num_chosen(*copy.explainer, params.most_features());
  ParamLister lister;
  copy.visit(lister);
  AuditedMethod audited{.method = method.label,
                        .explainer = method.explainer->name(),
                        .params = {},
                        .is_sampled = method.explainer->traits().is_sampled,
                        .measures = {}};
  for (const ParamInfo& info : lister.infos) audited.params.emplace_back(info.name, info.value);
  return audited;
}

}  // namespace

const MeasureMean* AuditedMethod::find(std::string_view measure) const {
  const auto found = std::ranges::find(measures, measure, &MeasureMean::measure);
  return found == measures.end() ? nullptr : &*found;
}

AuditResult summarise(const AuditTask& task, const AuditParams& params, AuditCases cases,
                      const Context& context) {
  AuditResult result{.k = static_cast<std::size_t>(params.k),
                     .num_queries = cases.queries.size(),
                     .num_without_order = cases.num_without_order,
                     .num_documents = count_documents(cases),
                     .seeds = static_cast<std::size_t>(params.seeds),
                     .test = enum_name(params.compare.test),
                     .correction = enum_name(params.compare.correction),
                     .alpha = params.compare.alpha,
                     .methods = {},
                     .differences = {},
                     .depths = {},
                     .cases = std::move(cases)};
  for (std::size_t m = 0; m < task.methods.size(); ++m) {
    AuditedMethod& method = result.methods.emplace_back(describe(task.methods[m], params));
    method.seconds_per_query =
        result.cases.seconds[m] / static_cast<double>(result.cases.queries.size());
    method.num_abstained = static_cast<std::size_t>(std::ranges::count_if(
        result.cases.cases,
        [&](const AuditCase& audited) { return audited.method == m && audited.abstains; }));
  }
  Summary summary(params, result, context);
  for (std::size_t measure = 0; measure < result.cases.measures.size(); ++measure) {
    summary.add_measure(measure);
    summary.add_depths(measure);
  }
  return result;
}

AuditResult run_audit(const AuditTask& task, const AuditParams& params, const Context& context) {
  return summarise(task, params, measure_cases(task, params, context), context);
}

}  // namespace glassrank
