#include "glassrank/metrics/convention_text.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "glassrank/base/error.h"
#include "glassrank/base/param_uses.h"
#include "glassrank/metrics/registry.h"

namespace glassrank {
namespace {

using Axes = std::set<std::string_view>;

// The axes that a metric looks at. A metric that is not named here is one of binary relevance.
Axes axes_of(const std::string& metric) {
  Axes axes = {"empty", "ties", "score_precision"};
  if (metric == "ndcg" || metric == "dcg") {
    axes.insert({"gain", "gain_table"});
  } else if (metric == "err" || metric == "pfound") {
    axes.insert({"stop", "max_grade"});
  } else if (metric == "judged") {
    axes.insert("precision_divisor");
  } else if (metric != "kendall") {
    axes.insert("relevant_grade");
  }
  if (metric == "map") axes.insert({"map_empty", "ap_divisor", "map_no_hits"});
  if (metric == "r") axes.insert("r_empty");
  if (metric == "p") axes.insert("precision_divisor");
  return axes;
}

bool agree(const Convention& a, const Convention& b, const Axes& axes) {
  const auto ours = list_params(a);
  const auto theirs = list_params(b);
  for (std::size_t i = 0; i < ours.size(); ++i) {
    if (axes.contains(ours[i].name) && ours[i].value != theirs[i].value) return false;
  }
  return true;
}

using Names = std::set<std::string_view>;

struct Tool {
  std::string_view preset;
  std::string_view name;
  Names metrics;  // that it has
};

const std::vector<Tool>& tools() {
  static const std::vector<Tool> all = {
      {"lightgbm", "LightGBM", {"ndcg", "map", "auc"}},
      {"xgboost", "XGBoost", {"ndcg", "map", "p", "auc"}},
      {"catboost", "CatBoost", {"ndcg", "dcg", "map", "mrr", "err", "p", "r", "pfound", "auc"}},
      {"ranklib", "RankLib", {"ndcg", "dcg", "map", "mrr", "err", "p"}},
      {"rankeval",
       "RankEval",
       {"ndcg", "dcg", "map", "mrr", "err", "p", "r", "rbp", "pfound", "kendall"}},
      {"trec_eval",
       "trec_eval",
       {"ndcg", "map", "mrr", "p", "r", "rprec", "bpref", "success", "rbp"}},
      {"sklearn", "scikit-learn", {"ndcg", "dcg"}},
  };
  return all;
}

// The preset itself, or the first tool that has these metrics and agrees; empty: none does.
std::string tool_of(const Convention& convention, const Names& metrics, const Axes& axes) {
  std::string found;
  for (const Tool& tool : tools()) {
    if (!std::ranges::includes(tool.metrics, metrics)) continue;
    if (!agree(convention, find_convention(tool.preset), axes)) continue;
    if (found.empty() || tool.preset == convention.name) found = tool.name;
  }
  return found;
}

// Metrics that are 0/0 for a query without a relevant document; others are 0.
bool has_empty_value(const Names& metrics) {
  static const Names kThem = {"ndcg", "map", "r", "rprec", "bpref", "auc", "kendall"};
  return std::ranges::any_of(metrics, [](std::string_view name) { return kThem.contains(name); });
}

std::string gain_text(const Convention& convention) {
  switch (convention.gain) {
    case GainKind::kExponential:
      return "2^g - 1";
    case GainKind::kLinear:
      return "g";
    case GainKind::kTable:
      return fmt::format("gains {}", fmt::join(convention.gain_table, ","));
  }
  return "";
}

std::string ap_divisor_text(const Convention& convention) {
  switch (convention.ap_divisor) {
    case ApDivisor::kRelevant:
      return "divided by R";
    case ApDivisor::kRelevantOrCutoff:
      return "divided by min(R, k)";
    case ApDivisor::kHits:
      return "divided by hits";
  }
  return "";
}

std::string_view ties_text(Ties ties) {
  switch (ties) {
    case Ties::kInput:
      return "";
    case Ties::kReverse:
      return "ties: last in the input first";
    case Ties::kDocumentId:
      return "ties: by document id";
    case Ties::kWorst:
      return "ties: lower grade first";
    case Ties::kAverage:
      return "ties: averaged";
  }
  return "";
}

std::string stop_text(const Convention& convention) {
  if (convention.stop == StopProbability::kGrade) return "the grade is a probability";
  if (convention.max_grade == 0) return "greatest grade of each query";
  return fmt::format("greatest grade {}", convention.max_grade);
}

}  // namespace

std::string short_text(const Convention& convention, std::span<const MetricSpec> metrics) {
  Axes axes;
  Names names;
  for (const MetricSpec& metric : metrics) {
    axes.merge(axes_of(metric.name));
    names.insert(metric.name);
  }
  std::vector<std::string> parts;
  if (axes.contains("gain")) {
    parts.push_back(
        fmt::format("{}: {}", names.contains("ndcg") ? "NDCG" : "DCG", gain_text(convention)));
  }
  if (axes.contains("ap_divisor")) parts.push_back("MAP: " + ap_divisor_text(convention));
  if (axes.contains("stop")) {
    parts.push_back(
        fmt::format("{}: {}", names.contains("err") ? "ERR" : "pFound", stop_text(convention)));
  }
  if (axes.contains("relevant_grade")) {
    parts.push_back(fmt::format("relevant: g >= {}", convention.relevant_grade));
  }
  if (convention.empty.skip) {
    parts.emplace_back("empty queries skipped");
  } else if (has_empty_value(names)) {
    parts.push_back("empty query = " + to_text(convention.empty));
  }
  if (const std::string_view ties = ties_text(convention.ties); !ties.empty()) {
    parts.emplace_back(ties);
  }
  if (const std::string tool = tool_of(convention, names, axes); !tool.empty()) {
    parts.push_back("as " + tool);
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

void refuse_unused(const ConventionChoice& choice, std::span<const MetricSpec> metrics) {
  for (const auto& [axis, text] : choice.axes) {
    if (text.empty()) continue;
    const auto looks_at_it = [&](std::string_view metric) {
      return axes_of(std::string(metric)).contains(axis);
    };
    if (std::ranges::any_of(metrics, looks_at_it, &MetricSpec::name)) continue;
    if (metrics.empty()) {
      fail(ErrorKind::kUsage, "{} is for metrics that are computed here; these values are given",
           flag_of(axis));
    }
    std::vector<std::string_view> owners;
    for (const MetricInfo& info : metric_table()) {
      if (looks_at_it(info.name)) owners.push_back(info.name);
    }
    std::vector<std::string> given;
    for (const MetricSpec& metric : metrics) given.push_back(to_text(metric));
    fail(ErrorKind::kUsage, "{} belongs to --metric {}; here metric is {}", flag_of(axis),
         or_list(owners), fmt::join(given, ", "));
  }
}

}  // namespace glassrank
