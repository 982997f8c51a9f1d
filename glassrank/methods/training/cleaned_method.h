#pragma once
// A method whose training data is cleaned first: any method, any cleaner (group `clean`).
//
//   1. the cleaner finds documents, by their values or by the mistakes of a base model that the
//      method itself trains (cleaners/cleaner.h);
//   2. the method trains from scratch on the rows left, in the same bins, stopped by the untouched
//      validation data. The stages of curr-sour are the method's: rows that stay out for a while.
// With clean.tune every cleaning of the grid gets a final model; the one with the best stop metric
// on the validation data stays, of equal ones that with fewer documents dropped.
// Folds and searches clean their own training rows: no part is judged by documents it has seen.
// Cost: up to twice a training; with clean.tune one more per different set of documents.

#include <memory>

#include "glassrank/methods/method.h"

namespace glassrank {

// `method` with the parameters `clean` beside its own.
std::unique_ptr<Method> make_cleaned(std::unique_ptr<Method> method, const CleanParams& clean = {});

// What check_clean asks of the method. Throws Error{kUsage} for metrics that do not exist.
LearnerSetting clean_setting(const Method& method, bool has_valid);

// Step 1 alone, by a base model of the task's data.
Cleaning find_mistakes(const Method& method, const CleanParams& clean, const TrainTask& task,
                       const Context& context);

// Cleaning without a training after it: what to drop, tuned on the task's validation data if
// clean.tune says so. The check throws Error{kUsage} for what does not go together, and for
// cleaners that leave other documents out as training goes on.
void check_clean_alone(const CleanParams& clean, const Method& learner, bool has_valid);
Cleaning clean_alone(const Method& learner, const CleanParams& clean, const TrainTask& task,
                     const Context& context);

}  // namespace glassrank
