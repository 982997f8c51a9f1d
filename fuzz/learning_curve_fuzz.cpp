// Any bytes as a file of `train --learning-curve`: the reader either throws Error or gives curves
// with a value for every number of trees.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "glassrank/base/error.h"
#include "glassrank/studies/curve_study.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace glassrank;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::vector<MetricCurve> curves;
  try {
    curves = read_learning_curves(text, "f", "n", "ndcg@10");
  } catch (const Error&) {
    return 0;
  }
  if (curves.empty()) std::abort();
  for (const MetricCurve& curve : curves) {
    if (curve.trees.empty() || curve.trees.size() != curve.values.size()) std::abort();
  }
  return 0;
}
