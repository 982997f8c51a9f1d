#include "glassrank/methods/training/same_features.h"

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

// A name that is only a number says no more than the place does.
bool is_number(const std::string& name) {
  return name.find_first_not_of("0123456789") == std::string::npos;
}

}  // namespace

void check_same_features(std::span<const std::string> train, std::span<const std::string> valid) {
  if (valid.size() != train.size()) {
    fail(ErrorKind::kInput, "the validation data has {} features, the training data {}",
         valid.size(), train.size());
  }
  for (std::size_t f = 0; f < train.size(); ++f) {
    const std::string& ours = train[f];
    const std::string& theirs = valid[f];
    if (ours == theirs || is_number(ours) || is_number(theirs)) continue;
    fail(ErrorKind::kInput,
         "feature {} is '{}' in the validation data and '{}' in the training data", f + 1, theirs,
         ours);
  }
}

}  // namespace glassrank
