#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "glassrank/methods/ebm/run_kernel.cpp"
#include <hwy/foreach_target.h>  // includes this file once per instruction set
// After foreach_target.
#include <hwy/highway.h>

#include "glassrank/methods/ebm/run_kernel.h"

HWY_BEFORE_NAMESPACE();
namespace glassrank::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

void add_runs(const StepRuns& runs, std::span<const std::uint8_t> codes, std::span<float> values) {
  const hn::ScalableTag<float> df;
  const hn::RebindToSigned<decltype(df)> di;
  const hn::Rebind<std::uint8_t, decltype(df)> d8;
  const std::size_t lanes = hn::Lanes(df);
  std::size_t i = 0;
  for (; i + lanes <= values.size(); i += lanes) {
    const auto code = hn::PromoteTo(di, hn::LoadU(d8, codes.data() + i));
    auto added = hn::Set(df, runs.values[0]);
    for (std::size_t run = 1; run < StepRuns::kMostRuns; ++run) {
      const auto is_in = hn::RebindMask(df, hn::Gt(code, hn::Set(di, runs.begins[run - 1] - 1)));
      added = hn::IfThenElse(is_in, hn::Set(df, runs.values[run]), added);
    }
    hn::StoreU(hn::Add(hn::LoadU(df, values.data() + i), added), df, values.data() + i);
  }
  for (; i < values.size(); ++i) {
    std::size_t run = 0;
    while (run + 1 < StepRuns::kMostRuns && codes[i] >= runs.begins[run]) ++run;
    values[i] += runs.values[run];
  }
}

}  // namespace glassrank::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glassrank {
namespace {

HWY_EXPORT(add_runs);

}  // namespace

std::optional<StepRuns> find_runs(std::span<const float> step) {
  if (step.empty() || step.size() > 256) return std::nullopt;
  StepRuns runs;
  runs.values.fill(step[0]);
  std::size_t num_runs = 1;
  for (std::size_t code = 1; code < step.size(); ++code) {
    if (step[code] == step[code - 1]) continue;
    if (num_runs == StepRuns::kMostRuns) return std::nullopt;
    runs.begins[num_runs - 1] = static_cast<std::int32_t>(code);
    runs.values[num_runs++] = step[code];
  }
  return runs;
}

void add_runs(const StepRuns& runs, std::span<const std::uint8_t> codes, std::span<float> values) {
  HWY_DYNAMIC_DISPATCH(add_runs)(runs, codes, values);
}

}  // namespace glassrank
#endif
