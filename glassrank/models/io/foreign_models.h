#pragma once
// What a file that is to be a model is, before anybody reads it: JSON objects are told apart by
// their outermost keys, and what holds a model or an answer of another kind is called by its name.

#include <string>
#include <string_view>
#include <vector>

namespace glassrank {

// kNone: the text is no JSON object or array; kUnknown: it is, but of nobody we know.
enum class JsonKind {
  kNone,
  kUnknown,
  kXgboost,
  kXgboostDump,
  kLightgbmDump,
  kSolr,
  kCatboost,
  kExplanation
};

// Reads on until a key tells. An array is a dump of XGBoost's if its first object has its keys.
JsonKind json_kind(std::string_view text);

// The keys of the outermost object, or of the first object in the outermost array, as written, at
// most `most` of them; strings and what is inside of values are passed over. Malformed text ends
// the list.
std::vector<std::string> outer_json_keys(std::string_view text, std::size_t most);

// Throws Error{kInput} for what is known not to be a model we read (PMML, ONNX, pickles, CatBoost's
// and XGBoost's binary files, explanations of ours, JSON of nobody), with the way out.
void refuse_foreign_model(std::string_view bytes);

}  // namespace glassrank
