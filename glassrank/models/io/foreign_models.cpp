#include "glassrank/models/io/foreign_models.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "glassrank/base/error.h"
#include "glassrank/base/trim.h"

namespace glassrank {
namespace {

using std::string_view_literals::operator""sv;

bool is_json_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

// Goes over the text of JSON, strings as a whole.
class JsonWalk {
 public:
  explicit JsonWalk(std::string_view text) : text_(text) { skip_space(); }

  bool at_end() const { return at_ >= text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[at_]; }
  void step() {
    ++at_;
    skip_space();
  }
  // At a quote: what is between it and the next, as written.
  std::string_view take_string() {
    const std::size_t begin = ++at_;
    while (!at_end() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
    const std::size_t end = std::min(at_, text_.size());
    step();
    return text_.substr(begin, end - begin);
  }

 private:
  void skip_space() {
    while (!at_end() && is_json_space(text_[at_])) ++at_;
  }
  std::string_view text_;
  std::size_t at_ = 0;
};

// Calls use(key, is_text, value) for the outermost keys until it returns false; value is that of a
// text, else empty.
template <typename Use>
void for_each_outer_key(std::string_view text, Use&& use) {
  JsonWalk walk(text);
  if (walk.peek() == '[') walk.step();
  if (walk.peek() != '{') return;
  walk.step();
  while (walk.peek() == '"') {
    const std::string_view key = walk.take_string();
    if (walk.peek() != ':') return;
    walk.step();
    std::string_view value;
    if (walk.peek() == '"') value = walk.take_string();
    if (!use(key, value)) return;
    // To the comma behind the value.
    for (int depth = 0; !walk.at_end() && (depth > 0 || walk.peek() != ',');) {
      const char c = walk.peek();
      if (c == '"') {
        walk.take_string();
        continue;
      }
      if (c == '{' || c == '[') ++depth;
      if ((c == '}' || c == ']') && --depth < 0) return;
      walk.step();
    }
    walk.step();
  }
}

constexpr std::array<std::pair<std::string_view, JsonKind>, 13> kTellingKeys = {{
    {"learner", JsonKind::kXgboost},
    {"num_tree_per_iteration", JsonKind::kLightgbmDump},
    {"max_feature_idx", JsonKind::kLightgbmDump},
    {"tree_info", JsonKind::kLightgbmDump},
    {"features_info", JsonKind::kCatboost},
    {"oblivious_trees", JsonKind::kCatboost},
    {"scale_and_bias", JsonKind::kCatboost},
    {"splits", JsonKind::kXgboostDump},
    {"nodeid", JsonKind::kXgboostDump},
    {"split_condition", JsonKind::kXgboostDump},
    {"leaf", JsonKind::kXgboostDump},
    {"explainer", JsonKind::kExplanation},
    {"explanations", JsonKind::kExplanation},
}};

struct ForeignModel {
  std::string_view begins;
  std::string_view what;
};

constexpr std::array<ForeignModel, 9> kForeignModels = {{
    {"CBM1"sv,
     "a CatBoost model in its own binary format; save it with save_model(path, format=\"json\")"},
    {"\x80\x02"sv, "a pickle"},
    {"\x80\x03"sv, "a pickle"},
    {"\x80\x04"sv, "a pickle"},
    {"\x80\x05"sv, "a pickle"},
    {"binf"sv,
     "an XGBoost model in its old binary format; load it with XGBoost before 3.1 and "
     "save it as JSON"},
    {"bs64"sv,
     "an XGBoost model in its old binary format; load it with XGBoost before 3.1 and "
     "save it as JSON"},
    {"PK\x03\x04"sv, "a zip archive; the model inside has to be taken out of it"},
    {"\x89HDF"sv, "an HDF5 file; models of trees, tables and linear models are read"},
}};

// The first fields of an ONNX model are its version, a small number, and who made it.
bool is_onnx(std::string_view bytes) {
  return bytes.size() > 3 && bytes[0] == '\x08' && bytes[1] > 0 && bytes[1] < 32 &&
         bytes[2] == '\x12';
}

}  // namespace

JsonKind json_kind(std::string_view text) {
  const std::string_view start = trim_blanks(text.substr(0, 4096));
  const bool is_array = start.starts_with('[');
  if (!is_array && !start.starts_with('{')) return JsonKind::kNone;
  // Behind '{' a key or the end: UBJSON has a length or a marker there.
  const std::string_view inside =
      trim_blanks(text.substr(text.find(is_array ? '[' : '{') + 1, 4096));
  const char first = inside.empty() ? '}' : inside[0];
  if (is_array ? first != '{' && first != ']' : first != '"' && first != '}') {
    return is_array ? JsonKind::kUnknown : JsonKind::kNone;
  }
  JsonKind kind = JsonKind::kUnknown;
  for_each_outer_key(text, [&](std::string_view key, std::string_view value) {
    if (key == "class" && value.ends_with("AdditiveTreesModel")) kind = JsonKind::kSolr;
    if (key == "class" && value.starts_with("org.apache.solr.ltr.")) kind = JsonKind::kSolr;
    const auto told = std::ranges::find(kTellingKeys, key, [](const auto& e) { return e.first; });
    if (told != kTellingKeys.end()) kind = told->second;
    return kind == JsonKind::kUnknown;
  });
  const bool is_dump = kind == JsonKind::kXgboostDump || kind == JsonKind::kExplanation;
  return is_array && !is_dump ? JsonKind::kUnknown : kind;
}

std::vector<std::string> outer_json_keys(std::string_view text, std::size_t most) {
  std::vector<std::string> keys;
  for_each_outer_key(text, [&](std::string_view key, std::string_view) {
    keys.emplace_back(key.substr(0, 40));
    return keys.size() < most;
  });
  return keys;
}

void refuse_foreign_model(std::string_view bytes) {
  for (const ForeignModel& foreign : kForeignModels) {
    if (!bytes.starts_with(foreign.begins)) continue;
    if (foreign.what == "a pickle") {
      fail(ErrorKind::kInput,
           "this is a pickle of Python; load it there and save the model in a format of its "
           "program: save_model of LightGBM and XGBoost, save_model(path, format=\"json\") of "
           "CatBoost");
    }
    fail(ErrorKind::kInput, "this is {}", foreign.what);
  }
  if (bytes.substr(0, 4096).find("<PMML") != std::string_view::npos) {
    fail(ErrorKind::kInput,
         "this is PMML; save the model in the format of the program that trained it (LightGBM's "
         "save_model, XGBoost's JSON)");
  }
  if (is_onnx(bytes)) {
    fail(ErrorKind::kInput,
         "this is an ONNX model; save it in the format of the program that trained it, or let it "
         "score with --command");
  }
  const JsonKind kind = json_kind(bytes);
  if (kind == JsonKind::kExplanation) {
    fail(ErrorKind::kInput, "this is an explanation, not a model");
  }
  if (kind != JsonKind::kUnknown) return;
  const std::vector<std::string> keys = outer_json_keys(bytes, 5);
  fail(ErrorKind::kInput,
       "this is JSON, but no model we know ({}); read are models of XGBoost (save_model and "
       "dump_model), LightGBM (dump_model), CatBoost and Solr, and gam-json",
       keys.empty() ? "it has no keys" : fmt::format("its keys: {}", fmt::join(keys, ", ")));
}

}  // namespace glassrank
