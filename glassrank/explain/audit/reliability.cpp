#include "glassrank/explain/audit/reliability.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace glassrank {
namespace {

std::string reason(const ExplanationAudit& audit, std::string_view weakest) {
  if (weakest == "additivity_residual") {
    return fmt::format(
        "the attributions miss what they explain by {:.2g} times the largest of them",
        *audit.additivity_residual);
  }
  if (weakest == "error_share") {
    return fmt::format("sampling errors reach {:.2g} times the largest attribution",
                       *audit.error_share);
  }
  if (weakest == "fit") {
    return fmt::format("the fitted line explains only {:.0f} % of what its samples differ in",
                       100 * *audit.fit);
  }
  if (weakest == "validity") {
    return fmt::format("the named features alone keep the order to a tau of {:.2f} only",
                       *audit.validity);
  }
  return fmt::format("other seeds name only {:.0f} % of the same features", 100 * *audit.stability);
}

}  // namespace

Reliability reliability_of(const ExplanationAudit& audit) {
  Reliability result;
  const auto consider = [&](std::string_view key, std::optional<double> trust) {
    if (!trust) return;
    const double cut = std::clamp(*trust, 0.0, 1.0);
    if (result.value && cut >= *result.value) return;
    result = {.value = cut, .weakest = key};
  };
  const auto rest = [](std::optional<double> share) {
    return share ? std::optional(1 - *share) : std::nullopt;
  };
  consider("additivity_residual", rest(audit.additivity_residual));
  consider("error_share", rest(audit.error_share));
  consider("fit", audit.fit);
  if (!audit.names_all) consider("validity", audit.validity);
  consider("stability", audit.stability);
  return result;
}

void AbstainParams::visit(ParamVisitor& visitor) {
  visitor.field("abstain_below", abstain_below,
                "mark an answer as not to be relied on (`abstains`) if its reliability is below "
                "this; 0 marks none",
                kShare);
}

void judge(Explanation& explanation, const AbstainParams& params) {
  explanation.audit.reliability.reset();
  if (explanation.features.empty()) {
    if (explanation.abstains.empty()) explanation.abstains = "no feature is named";
    return;
  }
  const Reliability reliability = reliability_of(explanation.audit);
  explanation.audit.reliability = reliability.value;
  if (!explanation.abstains.empty() || !reliability.value) return;
  if (*reliability.value >= params.abstain_below) return;
  explanation.abstains =
      fmt::format("reliability {:.2f} is below {:g}: {}", *reliability.value, params.abstain_below,
                  reason(explanation.audit, reliability.weakest));
}

}  // namespace glassrank
