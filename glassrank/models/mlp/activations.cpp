#include "glassrank/models/mlp/activations.h"

#include <algorithm>
#include <cstddef>

// Highway compiles the rest of this file once per instruction set.
#define HWY_DISABLED_TARGETS HWY_SSSE3
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "glassrank/models/mlp/activations.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include "glassrank/base/exp-inl.h"

HWY_BEFORE_NAMESPACE();
namespace glassrank::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Doubles = hn::CappedTag<double, 8>;
using Vector = hn::Vec<Doubles>;

// Each x becomes finish(x, e^(factor * key(x))); what exp_of cannot take goes by activate().
template <typename Key, typename Finish>
HWY_INLINE void activate_by_exp(Activation activation, std::span<double> sums, double factor,
                                const Key& key, const Finish& finish) {
  const Doubles d;
  const std::size_t lanes = hn::Lanes(d);
  const Vector most = hn::Set(d, kMostExponent);
  std::size_t i = 0;
  for (; i + lanes <= sums.size(); i += lanes) {
    const Vector x = hn::LoadU(d, sums.data() + i);
    const Vector exponent = hn::Mul(hn::Set(d, factor), key(x));
    if (hn::AllTrue(d, hn::Le(hn::Abs(exponent), most))) {
      hn::StoreU(finish(x, exp_of(exponent)), d, sums.data() + i);
    } else {
      for (std::size_t k = i; k < i + lanes; ++k) sums[k] = activate(activation, sums[k]);
    }
  }
  for (; i < sums.size(); ++i) sums[i] = activate(activation, sums[i]);
}

// 1 / (1 + e^-x)
HWY_ATTR void sigmoid_all(std::span<double> sums) {
  const Vector one = hn::Set(Doubles(), 1.0);
  activate_by_exp(
      Activation::kSigmoid, sums, -1, [](Vector x) HWY_ATTR { return x; },
      [one](Vector, Vector e) HWY_ATTR { return hn::Div(one, hn::Add(one, e)); });
}

// (1 - e) / (1 + e), e = e^(-2 |x|), with the sign of x
HWY_ATTR void tanh_all(std::span<double> sums) {
  const Vector one = hn::Set(Doubles(), 1.0);
  activate_by_exp(
      Activation::kTanh, sums, -2, [](Vector x) HWY_ATTR { return hn::Abs(x); },
      [one](Vector x, Vector e)
          HWY_ATTR { return hn::CopySignToAbs(hn::Div(hn::Sub(one, e), hn::Add(one, e)), x); });
}

}  // namespace glassrank::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glassrank {

HWY_EXPORT(sigmoid_all);
HWY_EXPORT(tanh_all);

void activate_all(Activation activation, std::span<double> sums) {
  switch (activation) {
    case Activation::kIdentity:
      return;
    case Activation::kSigmoid:
      HWY_DYNAMIC_DISPATCH(sigmoid_all)(sums);
      return;
    case Activation::kTanh:
      HWY_DYNAMIC_DISPATCH(tanh_all)(sums);
      return;
    case Activation::kRelu:
      for (double& x : sums) x = std::max(x, 0.0);
      return;
  }
}

// Written here so that the loops below take several numbers at a time.
inline double slope_by_output(Activation activation, double output) {
  switch (activation) {
    case Activation::kIdentity:
      return 1;
    case Activation::kSigmoid:
      return output * (1 - output);
    case Activation::kTanh:
      return 1 - output * output;
    case Activation::kRelu:
      return output > 0 ? 1 : 0;
  }
  return 1;
}

double activation_slope(Activation activation, double output) {
  return slope_by_output(activation, output);
}

void multiply_by_slopes(Activation activation, std::span<const double> outputs,
                        std::span<double> slopes) {
  const auto multiply = [&](auto slope) {
    for (std::size_t i = 0; i < slopes.size(); ++i) slopes[i] *= slope(outputs[i]);
  };
  switch (activation) {
    case Activation::kIdentity:
      return;
    case Activation::kSigmoid:
      return multiply([](double y) { return slope_by_output(Activation::kSigmoid, y); });
    case Activation::kTanh:
      return multiply([](double y) { return slope_by_output(Activation::kTanh, y); });
    case Activation::kRelu:
      return multiply([](double y) { return slope_by_output(Activation::kRelu, y); });
  }
}

}  // namespace glassrank
#endif
