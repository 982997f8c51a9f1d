#pragma once
// A ranking metric: its name with parameters and cutoff ("p(rel=2)@5"), and the function itself.
//
//   text     = name [ "(" param "=" number { "," param "=" number } ")" ] [ "@" cutoff ]
//   examples   ndcg@10   p(rel=2)@5   rbp(p=0.8)   err(max=4)@20   pfound(max=4,break=0.15)
//
// Names are not case-sensitive and have aliases (ap for map, rr for mrr). parse_metric and to_text
// are inverse on canonical texts: lower case, first names, parameters in declared order.

#include <cstddef>
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

struct MetricSpec {
  std::string name;
  std::vector<std::pair<std::string, double>> params;  // those given, in declared order
  std::size_t cutoff = kNoCutoff;

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
