// To add a metric:
// 1. write metrics/<name>.h and .cpp: the pure function of a Ranking, and a MetricInfo
// <name>_info();
//    with ties averaged it must be the exact expected value over the orders of equal scores, or
//    its maker refuses Ties::kAverage with a message;
// 2. list it below; add the files to CMakeLists.txt;
// 3. test it: a hand-computed example, the permutation oracle in ties_test.cpp, a live peer in
//    tests/compat/test_metric_parity.py;
// 4. run tools/generate_reference.py.
#include "glassrank/metrics/registry.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "glassrank/base/error.h"
#include "glassrank/base/suggest.h"
#include "glassrank/metrics/auc.h"
#include "glassrank/metrics/average_precision.h"
#include "glassrank/metrics/bpref.h"
#include "glassrank/metrics/dcg.h"
#include "glassrank/metrics/err.h"
#include "glassrank/metrics/judged.h"
#include "glassrank/metrics/kendall.h"
#include "glassrank/metrics/ndcg.h"
#include "glassrank/metrics/pfound.h"
#include "glassrank/metrics/precision.h"
#include "glassrank/metrics/r_precision.h"
#include "glassrank/metrics/rbp.h"
#include "glassrank/metrics/recall.h"
#include "glassrank/metrics/reciprocal_rank.h"
#include "glassrank/metrics/success.h"

namespace glassrank {

std::span<const MetricInfo> metric_table() {
  static const MetricInfo table[] = {
      ndcg_info(),
      dcg_info(),
      average_precision_info(),
      reciprocal_rank_info(),
      precision_info(),
      recall_info(),
      r_precision_info(),
      success_info(),
      bpref_info(),
      judged_info(),
      err_info(),
      rbp_info(),
      pfound_info(),
      auc_info(),
      kendall_info(),
  };
  return table;
}

const MetricInfo& find_metric(std::string_view name) {
  std::string lower(name);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  std::vector<std::string> known;
  for (const MetricInfo& info : metric_table()) {
    if (info.name == lower) return info;
    if (std::ranges::find(info.aliases, lower) != info.aliases.end()) return info;
    known.emplace_back(info.name);
    for (const std::string_view alias : info.aliases) known.emplace_back(alias);
  }
  throw Error(ErrorKind::kUsage, unknown_name_message("metric", name, known));
}

namespace {

class OwnMetricOfCaller final : public Metric {
 public:
  OwnMetricOfCaller(std::shared_ptr<const OwnMetric> own, const Convention& convention)
      : Metric(kNoCutoff, convention.empty), own_(std::move(own)) {
    if (convention.ties == Ties::kAverage) {
      fail(ErrorKind::kUsage, "metric '{}' is a function of one order; ties cannot be averaged",
           own_->name);
    }
  }
  double evaluate(const Ranking& ranking) const override { return own_->value(ranking); }

 private:
  std::shared_ptr<const OwnMetric> own_;
};

}  // namespace

std::unique_ptr<Metric> make_metric(const MetricSpec& spec, const Convention& convention) {
  if (spec.own) return std::make_unique<OwnMetricOfCaller>(spec.own, convention);
  return find_metric(spec.name).make(spec, convention);
}

}  // namespace glassrank
