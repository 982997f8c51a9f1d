#pragma once
// One number for how far an explanation can be trusted, and when to say nothing instead.
//
// Reliability is the least of what was measured, each cut to 0..1:
//   1 - additivity residual   the attributions make up what is explained
//   1 - error share           the attributions are not drowned in sampling error
//   fit                       a line that was fitted follows the ranker around the document
//   validity                  the named features alone give the order that is asked about
//   stability                 other seeds name the same features
// The least, not the mean: a reader is misled by whichever part fails. There is none where nothing
// was measured or nothing is named: what is not said cannot be relied on. Completeness does not
// count: where a feature has a twin, leaving one of them out changes nothing, and an explanation
// that names one of them is not wrong. Validity does not count where all features that the ranker
// uses are named: it is 1 then whatever is said of them.
//
// Reliability says that the answer follows the ranker, not that the ranker is right.

#include <optional>
#include <string>
#include <string_view>

#include "glassrank/base/params.h"
#include "glassrank/explain/explanation.h"

namespace glassrank {

struct Reliability {
  std::optional<double> value;  // nothing: nothing was measured
  std::string_view weakest;     // the key of the measure that decides
};
Reliability reliability_of(const ExplanationAudit& audit);

struct AbstainParams {
  double abstain_below = 0;  // 0: no answer is marked for its reliability

  void visit(ParamVisitor& visitor);
};

// Fills audit.reliability from the other numbers, and `abstains` where it is below the limit or no
// feature is named. Why the explainer itself abstains stays.
void judge(Explanation& explanation, const AbstainParams& params);

}  // namespace glassrank
