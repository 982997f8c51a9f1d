#include "glassrank/models/io/formats.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "glassrank/base/atomic_file.h"
#include "glassrank/base/error.h"
#include "glassrank/base/suggest.h"
#include "glassrank/base/trim.h"
#include "glassrank/data/io/input_text.h"
#include "glassrank/data/io/text_place.h"
#include "glassrank/data/known_categories.h"
#include "glassrank/models/gam/gam_edit.h"
#include "glassrank/models/io/catboost_json.h"
#include "glassrank/models/io/foreign_models.h"
#include "glassrank/models/io/gam_csv.h"
#include "glassrank/models/io/gam_json.h"
#include "glassrank/models/io/lacks.h"
#include "glassrank/models/io/lightgbm_dump.h"
#include "glassrank/models/io/lightgbm_text.h"
#include "glassrank/models/io/missing_rules.h"
#include "glassrank/models/io/native.h"
#include "glassrank/models/io/number_text.h"
#include "glassrank/models/io/quickrank_xml.h"
#include "glassrank/models/io/ranklib.h"
#include "glassrank/models/io/solr_json.h"
#include "glassrank/models/io/xgboost_dump.h"
#include "glassrank/models/io/xgboost_json.h"
#include "glassrank/models/model_kinds.h"

namespace glassrank {
namespace {

// More would make every later table by feature an allocation of gigabytes.
constexpr std::size_t kMaxFeatures = std::size_t{1} << 24;

bool is_native(std::string_view bytes) { return bytes.starts_with(kNativeMagic); }

bool is_lightgbm(std::string_view bytes) {
  return bytes.starts_with("tree\n") || bytes.starts_with("tree\r\n");
}

bool is_lightgbm_dump(std::string_view bytes) {
  return json_kind(bytes) == JsonKind::kLightgbmDump;
}
bool is_xgboost(std::string_view bytes) { return json_kind(bytes) == JsonKind::kXgboost; }
bool is_xgboost_dump(std::string_view bytes) { return json_kind(bytes) == JsonKind::kXgboostDump; }
bool is_solr(std::string_view bytes) { return json_kind(bytes) == JsonKind::kSolr; }
bool is_catboost(std::string_view bytes) { return json_kind(bytes) == JsonKind::kCatboost; }

bool is_ubjson(std::string_view bytes) {
  return bytes.starts_with('{') && json_kind(bytes) == JsonKind::kNone;
}

bool is_ranklib(std::string_view bytes) { return bytes.starts_with("## "); }

bool is_quickrank(std::string_view bytes) {
  const std::string_view text = trim_blanks(bytes.substr(0, 4096));
  const bool is_pmml = text.find("<PMML") != text.npos;  // an error of its own
  return (text.starts_with("<?xml") || text.starts_with("<ranker")) && !is_pmml;
}

// The reader of a format that is always taken whole.
template <Model (*kRead)(std::string_view)>
Model whole(std::string_view bytes, const ModelReadParams& /*read*/) {
  return kRead(bytes);
}

// To add a format: 1. its reader and writer in files of their own; 2. a line here; 3. a fuzz
// target. The first one that matches reads a file.
constexpr std::array kFormats = {
    ModelFormat{"native", "Glassrank's own: text, exact, checksummed, with provenance", is_native,
                whole<read_native>, [](const Model& m, const Context&) { return write_native(m); },
                FormatBody::kAnyKind, true},
    ModelFormat{"gam-json", "additive model as JSON to read and edit: curves and surfaces",
                is_gam_json, whole<read_gam_json>,
                [](const Model& m, const Context&) { return write_gam_json(m); }, FormatBody::kGam,
                true},
    ModelFormat{"lightgbm", "LightGBM text model, v2 to v4", is_lightgbm, whole<read_lightgbm_text>,
                [](const Model& m, const Context& context) {
                  warn_of_lost_categories(require_forest(m, "a LightGBM file"), context);
                  return write_lightgbm_text(m);
                }},
    ModelFormat{"lightgbm-dump", "LightGBM JSON dump (dump_model), for Vespa", is_lightgbm_dump,
                whole<read_lightgbm_dump>,
                [](const Model& m, const Context& context) {
                  warn_of_lost_categories(require_forest(m, "a LightGBM dump"), context);
                  return write_lightgbm_dump(m);
                }},
    ModelFormat{"xgboost", "XGBoost JSON model (save_model)", is_xgboost, read_xgboost_json,
                [](const Model& m, const Context&) { return write_xgboost_json(m); },
                FormatBody::kForest, false, true},
    ModelFormat{"xgboost-ubj", "XGBoost UBJSON model", is_ubjson, read_xgboost_ubjson, nullptr,
                FormatBody::kForest, false, true},
    ModelFormat{"xgboost-dump",
                "XGBoost JSON dump (dump_model), for Elasticsearch and OpenSearch LTR",
                is_xgboost_dump, whole<read_xgboost_dump>,
                [](const Model& m, const Context&) { return write_xgboost_dump(m); }},
    ModelFormat{"ranklib", "RankLib model, for Elasticsearch and OpenSearch LTR", is_ranklib,
                whole<read_ranklib>, write_ranklib, FormatBody::kAnyKind},
    ModelFormat{"quickrank", "QuickRank XML", is_quickrank, whole<read_quickrank_xml>,
                write_quickrank_xml},
    ModelFormat{"solr", "Solr's MultipleAdditiveTreesModel as JSON", is_solr, whole<read_solr_json>,
                write_solr_json},
    ModelFormat{"catboost", "CatBoost JSON model of numbers", is_catboost,
                whole<read_catboost_json>, nullptr},
    ModelFormat{"csv", "additive model as one table with a line per cell; only written",
                [](std::string_view) { return false; }, nullptr,
                [](const Model& m, const Context&) { return write_gam_csv(m); }, FormatBody::kGam},
};

enum class Names { kAll, kRead, kWritten };

std::vector<std::string> format_names(Names which) {
  std::vector<std::string> names;
  for (const ModelFormat& format : kFormats) {
    if (which == Names::kRead && format.read == nullptr) continue;
    if (which == Names::kWritten && format.write == nullptr) continue;
    names.emplace_back(format.name);
  }
  return names;
}

}  // namespace

std::span<const ModelFormat> model_formats() { return kFormats; }

std::vector<std::string> written_formats() { return format_names(Names::kWritten); }

const ModelFormat& model_format(std::string_view name) {
  for (const ModelFormat& format : kFormats) {
    if (format.name == name) return format;
  }
  throw Error(ErrorKind::kUsage,
              unknown_name_message("model format", name, format_names(Names::kAll)));
}

const ModelFormat& detect_model_format(std::string_view bytes) {
  if (bytes.empty()) fail(ErrorKind::kInput, "the file is empty");
  for (const ModelFormat& format : kFormats) {
    if (format.matches(bytes)) return format;
  }
  refuse_foreign_model(bytes);
  fail(ErrorKind::kInput, "not a model in a known format; known: {}",
       fmt::join(format_names(Names::kRead), ", "));
}

Model load_model(const std::string& path, const Context& context, const ModelReadParams& read) {
  return load_model_and_format(path, context, read).model;
}

namespace {

LoadedModel load_file(const std::string& path, const Context& context,
                      const ModelReadParams& read) {
  const InputText file(path, context);
  LoadedModel loaded = read_model_and_format(file.text(), file.name(), read);
  for (const auto& [key, what] : loaded.model.provenance) {
    if (key == kLacks && !loaded.format.keeps_provenance)
      context.info(fmt::format("{}: {}", file.name(), what));
  }
  return loaded;
}

[[noreturn]] void refuse_all_trees(const std::string& path, const ModelFormat& format) {
  fail(ErrorKind::kUsage, "all_trees is for models of XGBoost; {} is {}", path, format.name);
}

}  // namespace

LoadedModel load_model_and_format(const std::string& path, const Context& context,
                                  const ModelReadParams& read) {
  LoadedModel loaded = load_file(path, context, read);
  if (read.all_trees && !loaded.format.has_best_round) refuse_all_trees(path, loaded.format);
  return loaded;
}

std::vector<Model> load_models(std::span<const std::string> paths, const Context& context,
                               const ModelReadParams& read) {
  std::vector<Model> models;
  const ModelFormat* other = nullptr;
  std::size_t num_others = 0;
  for (const std::string& path : paths) {
    LoadedModel loaded = load_file(path, context, read);
    models.push_back(std::move(loaded.model));
    if (loaded.format.has_best_round) continue;
    other = &loaded.format;
    ++num_others;
  }
  if (read.all_trees && other != nullptr && num_others == paths.size()) {
    refuse_all_trees(paths.back(), *other);
  }
  return models;
}

LoadedModel read_model_and_format(std::string_view bytes, const std::string& name,
                                  const ModelReadParams& read) {
  bytes = skip_byte_order_mark(bytes);
  try {
    const ModelFormat& format = detect_model_format(bytes);
    Model model = format.read(bytes, read);
    const std::size_t num_features = num_features_of(model);
    if (num_features > kMaxFeatures) {
      fail(ErrorKind::kInput, "{} features are more than the {} supported", num_features,
           kMaxFeatures);
    }
    return {.model = std::move(model), .format = format};
  } catch (Error& error) {
    error.add_context(name);
    throw;
  }
}

Model model_for(const ModelFormat& format, const Model& model) {
  switch (format.body) {
    case FormatBody::kForest:
      return {.body = as_forest(model), .provenance = model.provenance};
    case FormatBody::kGam:
      return {.body = as_gam(model), .provenance = model.provenance};
    case FormatBody::kAnyKind:
      break;
  }
  return model;
}

std::string write_model(const Model& model, std::string_view format, const Context& context) {
  const ModelFormat& chosen = model_format(format);
  if (chosen.write == nullptr) {
    fail(ErrorKind::kUsage, "format '{}' is only read; written are: {}", format,
         fmt::join(written_formats(), ", "));
  }
  return chosen.write(model_for(chosen, model), context);
}

namespace {

// The names of them.
bool keeps_categories(std::string_view format) {
  constexpr std::array<std::string_view, 6> kKeeping = {"native",        "gam-json", "lightgbm",
                                                        "lightgbm-dump", "xgboost",  "csv"};
  return std::ranges::find(kKeeping, format) != kKeeping.end();
}

// Features that the model uses and whose categories have names.
std::vector<std::string> named_categories(const Model& model) {
  const CategoryNames categories = category_names_of(model);
  const auto names = feature_names_of(model);
  std::vector<std::string> features;
  for (std::uint32_t f = 0; f < categories.size(); ++f) {
    if (are_own_codes(categories[f]) || !uses_feature(model, f)) continue;
    features.push_back(f < names.size() ? names[f] : fmt::to_string(f + 1));
  }
  return features;
}

}  // namespace

bool sums_in_float32(std::string_view format) {
  constexpr std::array<std::string_view, 4> kInFloat = {"xgboost", "xgboost-dump", "ranklib",
                                                        "solr"};
  return std::ranges::find(kInFloat, format) != kInFloat.end();
}

void save_model(const std::string& path, const Model& model, std::string_view format,
                const Context& context) {
  write_text_file(path, write_model(model, format, context));
  const std::size_t edits = num_edits(model.provenance);
  if (edits > 0 && !model_format(format).keeps_provenance) {
    context.info(fmt::format("{}: {} files hold no record of the {}; keep a native one, too", path,
                             format, edits == 1 ? "edit" : fmt::format("{} edits", edits)));
  }
  const std::vector<std::string> features = named_categories(model);
  if (!features.empty() && !keeps_categories(format)) {
    context.warn(fmt::format(
        "{}: {} files hold no names of categories: whoever uses it must give codes for {}; native, "
        "lightgbm and xgboost files hold the names",
        path, format, fmt::join(features, ", ")));
  }
}

}  // namespace glassrank
