#pragma once
// What may change in a document, how far, and what a change costs.
//
// Without a word from the user a feature may move within the values that the background data has,
// stays a whole number where all of them are whole, and stays as it is when it belongs to the query
// (one value in all documents of every query): no document can change its query. A missing value
// stays missing, an infinite one infinite: there is no telling how far they would have to go.
//
// Limits are text, one feature each: its name, then a colon and any of
//   5..20     only values from 5 to 20; either end may be left out
//   up, down  not below, not above what it is
//   whole     whole numbers
//   step 0.5  only in steps of 0.5 from what it is
//   fixed     as it is
// A category may become any other that the background data has, at the same cost of 1; it has no
// order, so `fixed` is its only word.
// A range that is given takes the place of that of the background data.
//
// Changes are counted in spreads, so that features of any unit can be added: the median absolute
// deviation or the range from the first to the third quartile of the background; where that is 0,
// the range of the middle 90 %, else of all values, else 1.

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "glassrank/base/params.h"
#include "glassrank/explain/subject.h"

namespace glassrank {

enum class FeatureSpread { kMad, kQuartiles };
template <>
struct EnumNames<FeatureSpread> {
  static std::span<const std::pair<std::string_view, FeatureSpread>> table();
};

struct LimitParams {
  std::vector<std::string> limits;
  std::vector<std::string> only;
  std::vector<std::string> fix;
  bool keep_range = true;
  bool keep_whole = true;
  bool fix_query_features = true;
  FeatureSpread spread = FeatureSpread::kMad;

  void visit(ParamVisitor& visitor);
};

// Which values a feature may have, and what one spread of it is.
struct FeatureLimit {
  bool is_fixed = false;
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool is_whole = false;
  double step = 0;  // 0: any
  bool no_lower = false;
  bool no_higher = false;
  double spread = 1;
  bool is_category = false;  // values are codes: any other one is a change of 1

  // The allowed value in above < x <= to that is nearest to the present one, which may be itself.
  std::optional<float> nearest(float present, float above, float to) const;
  bool allows(float present, float value) const;
  // The whole number or step next to a value, towards the present one; the value itself where any
  // will do.
  float rounded(float present, double value) const;
  double cost(float present, float value) const;
};

// One per feature of the ranker. Throws Error{kUsage} for a limit that cannot be read, with the
// nearest name for an unknown feature.
std::vector<FeatureLimit> feature_limits(const Subject& subject, const LimitParams& params);

}  // namespace glassrank
