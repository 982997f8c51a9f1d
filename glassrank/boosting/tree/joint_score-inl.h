// joint_score() of split.h for vectors of any type and length: the same operations in the same
// order, so that a lane has the bits of the plain function. Included once per instruction set,
// after foreach_target.h, by the kernels that search for cuts.

#if defined(GLASSRANK_BOOSTING_JOINT_SCORE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GLASSRANK_BOOSTING_JOINT_SCORE_INL_H_
#undef GLASSRANK_BOOSTING_JOINT_SCORE_INL_H_
#else
#define GLASSRANK_BOOSTING_JOINT_SCORE_INL_H_
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace glassrank::HWY_NAMESPACE {

// `left` and `right` are squares of gradients.
template <typename V>
HWY_INLINE V joint_score(V left, V left_weight, V right, V right_weight) {
  namespace hn = hwy::HWY_NAMESPACE;
  const V top = hn::Add(hn::Mul(left, right_weight), hn::Mul(right, left_weight));
  return hn::Div(top, hn::Mul(left_weight, right_weight));
}

}  // namespace glassrank::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
