#include "glassrank/models/forest/sliced_scorer.h"

// Highway compiles the rest of this file once per instruction set. SSSE3 alone is not worth a copy.
#define HWY_WANT_AVX3_DL
#define HWY_DISABLED_TARGETS HWY_SSSE3
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "glassrank/models/forest/sliced_scorer.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include "glassrank/models/forest/sliced_categories.h"

#if HWY_TARGET != HWY_SCALAR
#include "glassrank/models/forest/sliced_columns-inl.h"
#include "glassrank/models/forest/sliced_trees-inl.h"
#endif

HWY_BEFORE_NAMESPACE();
namespace glassrank::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

bool has_vectors() { return false; }

void score_block(const ScoringPlan&, const SlicedBlock&, SlicedWorkspace&) {}

#else

bool has_vectors() { return true; }

template <std::size_t kWidth>
HWY_ATTR void score_width(const ScoringPlan& plan, const SlicedBlock& block,
                          SlicedWorkspace& workspace) {
  evaluate_conditions<kWidth>(plan, block, workspace);
  if (!plan.categories.empty()) {
    evaluate_categories(plan, block, workspace.categories,
                        workspace.conditions.data() + plan.first_category() * (kWidth / 64));
  }
  if (plan.narrow_conditions.empty()) {
    add_trees<kWidth>(plan, plan.conditions.data(), block, workspace);
  } else {
    add_trees<kWidth>(plan, plan.narrow_conditions.data(), block, workspace);
  }
  std::copy_n(workspace.sums.data(), block.num_rows, block.scores);
}

HWY_ATTR void score_block(const ScoringPlan& plan, const SlicedBlock& block,
                          SlicedWorkspace& workspace) {
  switch (block.width) {
    case 128:
      return score_width<128>(plan, block, workspace);
    case 256:
      return score_width<256>(plan, block, workspace);
    default:
      return score_width<512>(plan, block, workspace);
  }
}

#endif

}  // namespace glassrank::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glassrank {

HWY_EXPORT(has_vectors);
HWY_EXPORT(score_block);

SlicedWorkspace::SlicedWorkspace(const ScoringPlan& plan, std::size_t width)
    : columns((kFeatureLead + kFeatureGroup) * width),
      conditions((plan.num_conditions + 1) * (width / 64) + kSpareWords),
      places(2 * plan.max_places * (width / 64)),
      unions(std::max<std::size_t>(8, plan.max_slots / 8) * (width / 64)),
      sums(width) {
  std::size_t num_codes = 1;
  for (const CategoryCondition& condition : plan.categories) {
    if (condition.codes.empty()) continue;
    num_codes = std::max<std::size_t>(num_codes, condition.codes.back() + 1);
  }
  categories.mask_of_code.resize(num_codes);
}

bool can_slice() { return HWY_DYNAMIC_DISPATCH(has_vectors)(); }

void score_sliced(const ScoringPlan& plan, const SlicedBlock& block, SlicedWorkspace& workspace) {
  HWY_DYNAMIC_DISPATCH(score_block)(plan, block, workspace);
}

}  // namespace glassrank
#endif  // HWY_ONCE
