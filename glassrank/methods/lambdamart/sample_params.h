#pragma once
// Which rows the trees of a boosted method see, by name: the table of samplers.
//
// To add a sampler: 1. its class in boosting/; 2. a name and a line of text in sampler_table(), its
// parameters here and in sample_uses(); 3. a case in make_sampler. Every sampler works with every
// boosted method and objective.

#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "glassrank/base/param_uses.h"
#include "glassrank/base/params.h"
#include "glassrank/boosting/sampling/negative_counts.h"
#include "glassrank/boosting/sampling/sampling.h"

namespace glassrank {

enum class SampleMethod { kNone, kRows, kQueries, kGoss, kSelective, kHighLow, kRandomNegatives };
template <>
struct EnumNames<SampleMethod> {
  static std::span<const std::pair<std::string_view, SampleMethod>> table();
};

struct SampleParams {
  SampleMethod method = SampleMethod::kNone;
  double fraction = 0.8;  // rows, queries
  int every = 1;          // all but goss
  double top = 0.2;       // goss, selective, high-low
  double other = 0.1;     // goss
  double bottom = 0.4;    // high-low
  double random = -1;     // selective, random-negatives; -1: 0 and 0.2
  NegativeBase count = NegativeBase::kRatio;
  Rounding rounding = Rounding::kRound;
  int min_negatives = 0;
  double negative_grade = 0;
  AdaptiveStrategy adaptive = AdaptiveStrategy::kNone;  // selective
  int window = 100;

  void visit(ParamVisitor& visitor);
};

// Which sampler looks at which parameter.
std::span<const ParamUse> sample_uses();

struct SamplerInfo {
  SampleMethod method;
  std::string_view name;
  std::string_view doc;
};
std::span<const SamplerInfo> sampler_table();

// Null for none. Throws Error{kUsage}: values out of their ranges, shares outside 0 to 1, GOSS's
// that add up to more than everything or nothing, a sampler that would keep no negatives, a
// strategy without a sampler that could follow it.
std::unique_ptr<Sampler> make_sampler(const SampleParams& params);

}  // namespace glassrank
