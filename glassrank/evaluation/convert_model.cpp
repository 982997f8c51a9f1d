#include "glassrank/evaluation/convert_model.h"

#include <array>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/evaluation/load_rows.h"
#include "glassrank/models/forest/float_sums.h"
#include "glassrank/models/io/xgboost_json.h"
#include "glassrank/models/model_kinds.h"
#include "glassrank/models/scorer.h"

namespace glassrank {
namespace {

std::string parity_text(const ScoreParity& parity) {
  if (parity.num_different == 0) {
    return fmt::format("check: all {} scores are identical\n", parity.num_rows);
  }
  return fmt::format(
      "check: {} of {} scores differ, {} of them by more than the tolerance {:g}\n"
      "  largest difference  {:.3g}\n"
      "  at                  query {}, document {} (row {})\n"
      "  score before        {}\n"
      "  score after         {}\n",
      parity.num_different, parity.num_rows, parity.num_beyond, parity.tolerance, parity.largest,
      parity.query, parity.document, parity.row + 1, parity.before, parity.after);
}

std::string float_text(const ScoreParity& parity, std::string_view format) {
  return fmt::format(
      "check: summed in float32, as the program of {} files does, scores differ by at most "
      "{:.3g}\n{}",
      format, parity.largest,
      parity.num_beyond == 0
          ? ""
          : fmt::format("  beyond the tolerance  {} of {}\n", parity.num_beyond, parity.num_rows));
}

bool counts_from_zero(std::string_view format) {
  return format.starts_with("lightgbm") || format.starts_with("xgboost");
}

// The model with its columns as the readers of the format count them in text.
Model numbered(const LoadedModel& loaded, const ConvertTask& task, const Context& context) {
  const bool before = counts_from_zero(loaded.format.name);
  const bool after = counts_from_zero(task.to);
  if (before == after && task.for_text) {
    fail(ErrorKind::kUsage,
         "--for-text belongs to conversions between the formats of LightGBM or XGBoost and others: "
         "columns of {} and {} are counted alike",
         loaded.format.name, task.to);
  }
  if (before == after) return loaded.model;
  if (!task.for_text) {
    if (before && features_of(loaded.model).first == FirstColumn::kEmpty) {
      context.warn(fmt::format(
          "{}: column 0 was empty in training; if the model was trained from LETOR text, its "
          "column 1 is feature 1 there: --for-text writes it so",
          task.model));
    }
    return loaded.model;
  }
  return before ? without_first(loaded.model) : for_their_text(loaded.model, task.to);
}

// Without names, readers of these formats could not tell whether an unused first column is feature
// 1 or the column 0 of text. Of other programs' models they cannot know either.
bool is_first_known(const Model& model) {
  return !counts_from_zero(provenance_value(model, "format")) ||
         !provenance_value(model, kXgboostFirstFeature).empty();
}

void check(const Model& model, const ConvertTask& task, const Context& context,
           Conversion& result) {
  const Model again = load_model(task.out, context);
  const std::array both = {model, again};
  ReadParams read = read_params_for(both, task.read);
  read.may_lack_grades = true;
  const Dataset data = load_dataset(task.check, read, context);
  Context silent = context;  // one notice is enough
  silent.log_sink = nullptr;
  const Dataset rows = rows_for(model, data, task.check, task.read, context);
  // A model that looks at its columns by place keeps them where they are; some formats hold only
  // the features that are used, by name, and each has its own way to know categories.
  const bool is_shifted = num_features_of(again) != num_features_of(model) && task.for_text;
  const auto names = feature_names_of(again);
  const bool has_other_names =
      !names.empty() && !std::ranges::equal(names, feature_names_of(model));
  const bool is_apart = is_shifted || has_other_names || data.schema().has_categories();
  const Dataset rows_again = is_apart ? rows_for(again, data, task.check, task.read, silent) : rows;
  const auto before = make_scorer(model);
  const auto after = make_scorer(again);
  result.check = compare_scores({*before, rows}, {*after, rows_again}, task.tolerance, context);
  if (!sums_in_float32(task.to)) return;
  const auto in_float = match(
      again, [](const Forest& forest) { return make_float_sum_scorer(forest); },
      [](const auto&) -> std::unique_ptr<const Scorer> { return nullptr; });
  if (in_float == nullptr) return;
  result.in_float32 =
      compare_scores({*before, rows}, {*in_float, rows_again}, task.tolerance, context);
}

// Of a count that the file will not hold.
void tell_uncounted(const ModelFormat& format, const ConvertTask& task, const Context& context) {
  if (task.read.num_features == 0 || counts_features(format.name)) return;
  if (task.check.empty()) {
    fail(ErrorKind::kUsage, "--num-features: {} does not count features", format.name);
  }
  context.info(
      fmt::format("{} does not count features: --num-features {} is of the data of --check",
                  format.name, task.read.num_features));
}

Model converted(const Model& model, const ModelFormat& format, const std::string& file) {
  try {
    return model_for(format, model);
  } catch (Error& error) {
    error.add_context(file);
    throw;
  }
}

}  // namespace

Conversion convert_model(const ConvertTask& task, const Context& context) {
  const ModelFormat& format = model_format(task.to);  // before anything is read
  if (!task.check.empty() && format.read == nullptr) {
    fail(ErrorKind::kUsage, "--check reads the written file back, and '{}' is only written",
         task.to);
  }
  tell_uncounted(format, task, context);
  LoadedModel loaded = load_model_and_format(task.model, context, task.model_read);
  if (task.read.num_features > 0) {
    const auto count = static_cast<std::size_t>(task.read.num_features);
    loaded.model = with_num_features(loaded.model, count);
  }
  Model written = converted(numbered(loaded, task, context), format, task.model);
  if (counts_from_zero(task.to) && !task.for_text && is_first_known(loaded.model)) {
    written = with_numbers_for_names(written);
  }
  save_model(task.out, written, task.to, context);
  Conversion result{.out = task.out,
                    .to = task.to,
                    .parts = std::string(parts_of(written)),
                    .num_parts = num_parts_of(written),
                    .check = {},
                    .in_float32 = {}};
  if (!task.check.empty()) check(loaded.model, task, context, result);
  return result;
}

std::string conversion_text(const Conversion& conversion) {
  return fmt::format("{} {} written to {} as {}\n{}", conversion.num_parts, conversion.parts,
                     conversion.out, conversion.to,
                     conversion.check ? parity_text(*conversion.check) : "") +
         (conversion.in_float32 ? float_text(*conversion.in_float32, conversion.to) : "");
}

}  // namespace glassrank
