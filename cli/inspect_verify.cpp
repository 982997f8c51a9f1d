#include "cli/inspect_verify.h"

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/models/display_names.h"
#include "glassrank/models/gam/verify_report.h"
#include "glassrank/models/model_kinds.h"

namespace glassrank::cli {
void inspect_verification(const std::string& file, const Model& model, Output& output) {
  const Verification found = verify(model);
  const std::vector<std::string> names =
      display_names(num_features_of(model), feature_names_of(model), {});
  std::vector<VerifiedDirection> directions;
  if (found.is_additive()) directions = verify_directions(model);
  if (output.json) {
    output.out << json_text(verification_report(file, found, directions, names));
  } else {
    const std::string changes = directions_text(directions, names);
    output.out << fmt::format("model       {}\n{}{}{}", file, verification_text(found, names),
                              changes.empty() ? "" : "\n", changes);
  }
  if (found.is_additive()) return;
  output.out.flush();
  if (!found.joined.empty()) {
    fail(ErrorKind::kInput, "{} is not additive: {} features meet in the units of a neural network",
         file, found.joined.size());
  }
  fail(ErrorKind::kInput, "{} is not additive: tree {} uses {} features", file,
       found.large_trees[0].tree, found.large_trees[0].features.size());
}

}  // namespace glassrank::cli
