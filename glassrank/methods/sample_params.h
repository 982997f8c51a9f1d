#pragma once
// Which rows the trees of a boosted method see, by name: the table of samplers.
//
// To add a sampler: 1. its class in boosting/sampling.h; 2. a name and its parameters here; 3. a
// case in make_sampler. Every sampler works with every boosted method.

#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "glassrank/base/params.h"
#include "glassrank/boosting/sampling.h"

namespace glassrank {

enum class SampleMethod { kNone, kRows, kQueries, kGoss };
template <>
struct EnumNames<SampleMethod> {
  static std::span<const std::pair<std::string_view, SampleMethod>> table();
};

struct SampleParams {
  SampleMethod method = SampleMethod::kNone;
  double fraction = 0.8;  // rows, queries
  int every = 1;          // rows, queries
  double top = 0.2;       // goss
  double other = 0.1;     // goss

  void visit(ParamVisitor& visitor);
};

// Null for none. Throws Error{kUsage} when GOSS's shares are more than everything, or nothing.
std::unique_ptr<Sampler> make_sampler(const SampleParams& params);

}  // namespace glassrank
