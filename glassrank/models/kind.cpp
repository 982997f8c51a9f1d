#include "glassrank/models/kind.h"

#include <algorithm>

#include "glassrank/base/error.h"

namespace glassrank {

void check_same_fills(std::span<const float> first, std::span<const float> next) {
  if (std::ranges::equal(first, next)) return;
  fail(ErrorKind::kUsage,
       "models whose missing values count as different numbers have no mean of their kind");
}

}  // namespace glassrank
