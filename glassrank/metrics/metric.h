#pragma once
// A ranking metric: its name with parameters and cutoff ("p(rel=2)@5"), and the function itself.
//
//   text     = name [ "(" param "=" number { "," param "=" number } ")" ] [ "@" cutoff ]
//   examples   ndcg@10   p(rel=2)@5   rbp(p=0.8)   err(max=4)@20   pfound(max=4,break=0.15)
//
// Names are not case-sensitive and have aliases (ap for map, rr for mrr); trec_eval's names with a
// cutoff (ndcg_cut_10, P_5, map_cut_100, recall_5, success_1) are read too. parse_metric and
// to_text are inverse on canonical texts: lower case, first names, parameters in declared order.

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "glassrank/base/params.h"
#include "glassrank/metrics/convention.h"
#include "glassrank/metrics/ranking.h"

namespace glassrank {

// A metric that the caller brings: a function of a Python program, say. Larger is better; NaN for a
// query without relevant documents. Ranking::query says which query it is. Called from any thread.
struct OwnMetric {
  std::string name;
  std::function<double(const Ranking& ranking)> value;
};

struct MetricSpec {
  std::string name;
  std::vector<std::pair<std::string, double>> params;  // those given, in declared order
  std::size_t cutoff = kNoCutoff;
  std::shared_ptr<const OwnMetric> own = nullptr;  // of this name; null: one of the registry

  std::optional<double> param(std::string_view param_name) const;
  bool operator==(const MetricSpec&) const = default;
};

// Throws Error{kUsage}: unknown name or parameter (with the nearest), a value out of range, a
// cutoff that is not a positive whole number or that the metric does not have.
MetricSpec parse_metric(std::string_view text);
std::vector<MetricSpec> parse_metrics(std::span<const std::string> texts);
std::string to_text(const MetricSpec& spec);

class SwapDeltas;

// A pure function of one query's ranking; shared by threads.
class Metric {
 public:
  explicit Metric(std::size_t depth, EmptyQuery empty) : depth_(depth), empty_(empty) {}
  virtual ~Metric() = default;
  Metric(const Metric&) = delete;
  Metric& operator=(const Metric&) = delete;

  // NaN for a query without relevant documents: the caller then takes empty(). Throws Error{kInput}
  // for a grade the metric cannot use.
  virtual double evaluate(const Ranking& ranking) const = 0;
  // What evaluate() needs of all grades, whatever their order: the ideal of ndcg. Who ranks the
  // same documents again and again keeps it and hands it over as Ranking::ideal.
  virtual std::optional<double> ideal(std::span<const float> /*listed*/,
                                      std::span<const float> /*missed*/) const {
    return std::nullopt;
  }
  // Whether Ranking::tie_ends must be there whatever the ties policy.
  virtual bool needs_tie_groups() const { return false; }
  // What exchanging two documents would change (swap_delta.h). The ranking is of full depth, does
  // not average ties and outlives the result. The default evaluates again for every pair.
  virtual std::unique_ptr<SwapDeltas> swap_deltas(const Ranking& ranking) const;

  // Ranks that matter.
  std::size_t depth() const { return depth_; }
  // The value of a query for which evaluate() is NaN.
  const EmptyQuery& empty() const { return empty_; }

 private:
  std::size_t depth_;
  EmptyQuery empty_;
};

// A metric's natural value for empty queries is 0: only `skip` of the convention concerns it.
EmptyQuery zero_unless_skipped(const EmptyQuery& empty);

struct MetricParam {
  std::string_view name;
  std::string_view default_text;  // a number, or the convention's axis it follows
  std::string_view doc;
  Range range;
};

// A metric as `glassrank list metrics` shows it.
struct MetricInfo {
  std::string_view name;
  std::span<const std::string_view> aliases;
  std::string_view doc;
  std::span<const MetricParam> params;
  bool has_cutoff = true;
  std::unique_ptr<Metric> (*make)(const MetricSpec&, const Convention&) = nullptr;
};

}  // namespace glassrank
