#include "glassrank/methods/lambdamart/lightgbm_config.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/trim.h"
#include "glassrank/methods/lambdamart/lightgbm_table.h"

namespace glassrank {
namespace {

constexpr double kMostFeature = 4e9;

struct Entry {
  std::string value;
  int line = 0;
  bool is_alias = false;
};

// One pair of equal quotes taken off.
std::string_view unquoted(std::string_view text) {
  const bool quoted = text.size() >= 2 && text.front() == text.back() &&
                      (text.front() == '"' || text.front() == '\'');
  return quoted ? text.substr(1, text.size() - 2) : text;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!trim_blanks(text).empty()) {
    const std::size_t at = text.find(separator);
    parts.emplace_back(trim_blanks(text.substr(0, at)));
    if (at == std::string_view::npos) break;
    text.remove_prefix(at + 1);
  }
  return parts;
}

// Our name of LightGBM's objective; empty if there is none.
std::string_view lightgbm_objective(std::string_view name) {
  static constexpr std::pair<std::string_view, std::string_view> kNames[] = {
      {"lambdarank", "lambdarank"},
      {"rank_xendcg", "rank_xendcg"},
      {"xendcg", "rank_xendcg"},
      {"xe_ndcg", "rank_xendcg"},
      {"xe_ndcg_mart", "rank_xendcg"},
      {"xendcg_mart", "rank_xendcg"},
      {"regression", "squared_error"},
      {"regression_l2", "squared_error"},
      {"l2", "squared_error"},
      {"mean_squared_error", "squared_error"},
      {"mse", "squared_error"},
      {"l2_root", "squared_error"},
      {"root_mean_squared_error", "squared_error"},
      {"rmse", "squared_error"},
      {"binary", "logistic"},
      {"cross_entropy", "logistic"},
      {"xentropy", "logistic"}};
  for (const auto& [theirs, ours] : kNames) {
    if (name == theirs) return ours;
  }
  return {};
}

// In any case, as LightGBM reads them; nullopt when it is neither.
std::optional<bool> parse_flag(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  if (lower == "true" || lower == "+" || lower == "1") return true;
  if (lower == "false" || lower == "-" || lower == "0") return false;
  return std::nullopt;
}

std::optional<double> parse_number(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

class Import {
 public:
  explicit Import(std::string_view text) {
    int line = 0;
    while (!text.empty()) {
      ++line;
      const std::size_t end = text.find('\n');
      read_line(text.substr(0, end), line);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
  }

  ImportedConfig run() {
    for (const auto& [name, entry] : given_) apply(lightgbm_row(name), entry);
    files();
    columns();
    objective();
    sampling();
    quantised();
    missing();
    metrics();
    if (!value("early_stopping_round")) set("patience", {"0"}, 0);
    if (!value("num_iterations")) set("num_trees", {"100"}, 0);
    monotone();
    interactions();
    std::ranges::stable_sort(result_.settings, {}, &ParamAssignment::line);
    return std::move(result_);
  }

 private:
  void read_line(std::string_view text, int line) {
    text = trim_blanks(text.substr(0, text.find('#')));
    if (text.empty()) return;
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) {
      fail(ErrorKind::kInput, "line {}: '{}' is not key = value", line, text);
    }
    const std::string name(trim_blanks(text.substr(0, equals)));
    const LightgbmRow* row = find_lightgbm_row(name);
    if (row == nullptr) {
      lose("line {}: '{}' is not a parameter of LightGBM", line, name);
      return;
    }
    const Entry entry{.value = std::string(unquoted(trim_blanks(text.substr(equals + 1)))),
                      .line = line,
                      .is_alias = name != row->name};
    const auto [known, is_new] = given_.try_emplace(std::string(row->name), entry);
    if (!is_new && known->second.is_alias && !entry.is_alias) known->second = entry;
  }

  template <typename... Args>
  void note(fmt::format_string<Args...> format, Args&&... args) {
    result_.notes.push_back(fmt::format(format, std::forward<Args>(args)...));
  }
  template <typename... Args>
  void lose(fmt::format_string<Args...> format, Args&&... args) {
    result_.lost.push_back(fmt::format(format, std::forward<Args>(args)...));
  }
  void set(std::string_view name, std::vector<std::string> values, int line) {
    result_.settings.push_back(
        {.name = std::string(name), .values = std::move(values), .line = line});
  }
  const Entry* value(std::string_view name) const {
    const auto found = given_.find(std::string(name));
    return found == given_.end() ? nullptr : &found->second;
  }
  std::string value_or(std::string_view name, std::string_view otherwise) const {
    const Entry* entry = value(name);
    return entry == nullptr ? std::string(otherwise) : entry->value;
  }
  int line_of(std::string_view name) const {
    const Entry* entry = value(name);
    return entry == nullptr ? 0 : entry->line;
  }

  double number(std::string_view name, double otherwise) const {
    const Entry* entry = value(name);
    return entry == nullptr ? otherwise : parsed(entry->value, name, entry->line);
  }
  static double parsed(std::string_view text, std::string_view name, int line) {
    const std::optional<double> number = parse_number(text);
    if (!number) fail(ErrorKind::kInput, "line {}: {} = '{}' is not a number", line, name, text);
    return *number;
  }
  // False when it is not given.
  bool flag(std::string_view name) const {
    const Entry* entry = value(name);
    return entry != nullptr && !entry->value.empty() && flag_of(*entry, name);
  }
  static bool flag_of(const Entry& entry, std::string_view name) {
    const std::optional<bool> flag = parse_flag(entry.value);
    if (!flag) {
      fail(ErrorKind::kInput, "line {}: {} = '{}' is not true or false", entry.line, name,
           entry.value);
    }
    return *flag;
  }
  static bool is_harmless(const LightgbmRow& row, const Entry& entry) {
    if (entry.value.empty() || entry.value == row.harmless) return true;
    if (row.harmless == "true" || row.harmless == "false") {
      return flag_of(entry, row.name) == (row.harmless == "true");
    }
    const std::optional<double> harmless = parse_number(row.harmless);
    return harmless && parse_number(entry.value) == harmless;
  }

  void apply(const LightgbmRow& row, const Entry& entry) {
    switch (row.rule) {
      case LightgbmRule::kSame:
        return set(row.ours, {entry.value}, entry.line);
      case LightgbmRule::kFlag:
        if (entry.value.empty()) return;
        return set(row.ours, {flag_of(entry, row.name) ? "true" : "false"}, entry.line);
      case LightgbmRule::kZeroIfNegative:
        return set(row.ours, {entry.value.starts_with('-') ? "0" : entry.value}, entry.line);
      case LightgbmRule::kCannot:
        if (is_harmless(row, entry)) return;
        return lose("line {}: {} = {} has no counterpart", entry.line, row.name, entry.value);
      case LightgbmRule::kOther:
        if (is_harmless(row, entry)) return;
        return note("line {}: {} = {} has no counterpart", entry.line, row.name, entry.value);
      case LightgbmRule::kNoEffect:
      case LightgbmRule::kOfRefused:
      case LightgbmRule::kTogether:
        return;
    }
  }

  void files() {
    if (const std::string task = value_or("task", "train"); task != "train") {
      lose("line {}: task = {}; only training is imported", line_of("task"), task);
    }
    if (const Entry* valid = value("valid")) {
      const std::vector<std::string> names = split(valid->value, ',');
      if (!names.empty()) set("valid", {names.front()}, valid->line);
      for (std::size_t i = 1; i < names.size(); ++i) {
        note("line {}: valid = {}; only the first validation file is watched", valid->line,
             names[i]);
      }
    }
    if (const Entry* out = value("output_model")) {
      set("out", {out->value}, out->line);
      set("model_format", {"lightgbm"}, out->line);
      // As LightGBM's own model of the same text has its columns.
      if (!is_table()) set("for_text", {"true"}, out->line);
    }
  }

  // Columns are named there as "name:brand,colour", or by numbers that do not count the label.
  void columns() {
    static constexpr std::pair<std::string_view, std::string_view> kColumns[] = {
        {"label_column", "read.grade_column"},
        {"weight_column", "read.weight_column"},
        {"group_column", "read.query_column"},
        {"ignore_column", "read.ignore_columns"},
        {"categorical_feature", "read.categorical"}};
    for (const auto& [theirs, ours] : kColumns) {
      const Entry* entry = value(theirs);
      if (entry == nullptr || entry->value.empty()) continue;
      if (entry->value.starts_with("name:")) {
        set(ours, split(entry->value.substr(5), ','), entry->line);
      } else if (theirs == "categorical_feature" && !is_table()) {
        set(ours, split(entry->value, ','), entry->line);  // as text has ids, columns have them
      } else if (theirs != "label_column" || entry->value != "0") {
        lose("line {}: {} = {}: write name:COLUMN; numbers of columns are not understood",
             entry->line, theirs, entry->value);
      }
    }
  }

  void objective() {
    const std::string objective = value_or("objective", "regression");
    const std::string_view ours = lightgbm_objective(objective);
    if (ours.empty()) {
      lose("objective = {} has no counterpart; trained is lambdarank", objective);
    } else {
      set("objective", {std::string(ours)}, line_of("objective"));
    }
    // Here sigma is the slope for pairs; there it also scales the scores of binary.
    const Entry* sigmoid = value("sigmoid");
    if (sigmoid != nullptr && !sigmoid->value.empty() && ranks()) {
      set(lightgbm_row("sigmoid").ours, {sigmoid->value}, sigmoid->line);
    } else {
      only_with("sigmoid", objective == "binary");
    }
    only_with("is_unbalance", objective == "binary");
    only_with("scale_pos_weight", objective == "binary");
    only_with("boost_from_average", !ours.empty() && !ranks());
    only_with("reg_sqrt", ours == "squared_error");
    gains();
  }

  // A parameter without a counterpart that LightGBM looks at with some objectives.
  void only_with(std::string_view name, bool counts) {
    const Entry* entry = value(name);
    if (entry == nullptr || is_harmless(lightgbm_row(name), *entry)) return;
    const std::string objective = value_or("objective", "regression");
    if (counts) {
      lose("line {}: {} = {} has no counterpart with objective = {}", entry->line, name,
           entry->value, objective);
    } else {
      note("line {}: {} = {} changes nothing with objective = {}", entry->line, name, entry->value,
           objective);
    }
  }

  void gains() {
    const Entry* entry = value("label_gain");
    if (entry == nullptr || entry->value.empty()) return;
    set("gain", {"table"}, entry->line);
    set(lightgbm_row("label_gain").ours, split(entry->value, ','), entry->line);
  }

  bool ranks() const {
    const std::string objective = value_or("objective", "regression");
    const std::string_view ours = lightgbm_objective(objective);
    return ours == "lambdarank" || ours == "rank_xendcg";
  }

  void sampling() {
    const std::string boosting = value_or("boosting", "gbdt");
    const bool goss = boosting == "goss" || value_or("data_sample_strategy", "bagging") == "goss";
    if (boosting != "gbdt" && boosting != "gbrt" && boosting != "goss") {
      lose("line {}: boosting = {} has no counterpart", line_of("boosting"), boosting);
    }
    if (goss) {
      set("sample.method", {"goss"}, 0);
      set("sample.top", {value_or("top_rate", "0.2")}, line_of("top_rate"));
      set("sample.other", {value_or("other_rate", "0.1")}, line_of("other_rate"));
      return;
    }
    // LightGBM bags only when it has both a share and a frequency.
    if (number("bagging_freq", 0) <= 0 || number("bagging_fraction", 1) >= 1) return;
    const bool by_query = flag("bagging_by_query");
    set("sample.method", {by_query ? "queries" : "rows"}, line_of("bagging_freq"));
    set("sample.fraction", {value_or("bagging_fraction", "1")}, line_of("bagging_fraction"));
    set("sample.every", {value_or("bagging_freq", "1")}, line_of("bagging_freq"));
  }

  // Histograms of small integers from all rows are our fast mode. Without the flag precision and
  // rows are our defaults.
  void quantised() {
    if (!flag("use_quantized_grad")) return;
    set("precision", {"fast"}, line_of("use_quantized_grad"));
    set("active", {"all"}, line_of("use_quantized_grad"));
    if (number("num_grad_quant_bins", 4) != 4) {
      note("line {}: num_grad_quant_bins = {} has no counterpart; gradients have our own steps",
           line_of("num_grad_quant_bins"), value_or("num_grad_quant_bins", ""));
    }
    if (value("stochastic_rounding") != nullptr && !flag("stochastic_rounding")) {
      note("line {}: stochastic_rounding = false has no counterpart",
           line_of("stochastic_rounding"));
    }
  }

  // Without them NaN is 0 there.
  void missing() {
    const Entry* entry = value("use_missing");
    if (entry == nullptr || entry->value.empty() || flag("use_missing")) return;
    set("read.missing", {"zero"}, entry->line);
  }

  void metrics() {
    const bool stops = number("early_stopping_round", 0) > 0;
    std::string names = value_or("metric", "");
    if (names.empty()) {
      // What stops training there must stop it here; otherwise our default is as good.
      if (!value("eval_at") && !(stops && ranks())) return;
      names = "ndcg";
    }
    std::vector<std::string> metrics;
    for (const std::string& name : split(names, ',')) {
      const std::string_view ours = lightgbm_metric(name);
      if (ours.empty()) {
        without_metric(name, stops);
      } else if (ours == "auc") {
        metrics.emplace_back(ours);
      } else {
        for (const std::string& k : split(value_or("eval_at", "1,2,3,4,5"), ',')) {
          metrics.push_back(fmt::format("{}@{}", ours, k));
        }
      }
    }
    if (metrics.empty()) return;
    const bool first_only = flag("first_metric_only");
    if (metrics.size() > 1 && !first_only && stops) {
      note("early stopping watches the first metric, {}, only (LightGBM's first_metric_only)",
           metrics.front());
    }
    set("metric", std::move(metrics), line_of("metric"));
  }

  // What stops training decides how many trees there are.
  void without_metric(const std::string& name, bool stops) {
    const int line = line_of("metric");
    if (stops) {
      lose("line {}: metric {}, which may stop training, has no counterpart", line, name);
    } else {
      note("line {}: metric {} has no counterpart", line, name);
    }
  }

  // Whether column numbers, not ids, name the features.
  bool is_table() const {
    const std::string name = value_or("data", "");
    std::string_view stem = name;
    for (const std::string_view packed : {".gz", ".zst"}) {
      if (stem.ends_with(packed)) stem.remove_suffix(packed.size());
    }
    return stem.ends_with(".csv") || stem.ends_with(".tsv");
  }
  // Feature i of LightGBM as we name it.
  std::string feature_text(std::size_t i) const {
    return fmt::format("{}", is_table() ? i + 1 : i);
  }

  void monotone() {
    const Entry* entry = value("monotone_constraints");
    if (entry == nullptr) return;
    std::vector<std::string> rules;
    std::size_t feature = 0;
    for (const std::string& text : split(without_brackets(entry->value), ',')) {
      const double direction = parsed(text, "monotone_constraints", entry->line);
      if (direction != 0) {
        rules.push_back(fmt::format("{}{}", direction > 0 ? '+' : '-', feature_text(feature)));
      }
      ++feature;
    }
    if (!rules.empty()) set("monotone", std::move(rules), entry->line);
  }

  // "[0,1],[2]" set by set.
  void interactions() {
    const Entry* entry = value("interaction_constraints");
    if (entry == nullptr) return;
    std::vector<std::string> sets;
    bool left_out = false;
    for (std::string text : split(entry->value, ']')) {
      text.erase(0, std::min(text.size(), text.find('[') + 1));
      std::string set_text;
      for (const std::string& item : split(text, ',')) {
        const double number = parsed(item, "interaction_constraints", entry->line);
        if (!(number >= 0 && number <= kMostFeature && number == std::floor(number))) {
          fail(ErrorKind::kInput,
               "line {}: interaction_constraints: {} is not the number of a feature", entry->line,
               item);
        }
        const auto feature = static_cast<std::size_t>(number);
        // LightGBM always has a column 0, empty when ids start at 1; here it is then no feature.
        if (feature == 0 && !is_table()) {
          left_out = true;
          continue;
        }
        set_text += fmt::format("{}{}", set_text.empty() ? "" : ",", feature_text(feature));
      }
      if (!set_text.empty()) sets.push_back(fmt::format("[{}]", set_text));
    }
    if (left_out) {
      note(
          "line {}: interaction_constraints: feature 0 is left out (give --interactions if the "
          "ids in the data start at 0)",
          entry->line);
    }
    if (!sets.empty()) set("interactions", std::move(sets), entry->line);
  }

  std::map<std::string, Entry> given_;  // by LightGBM's own name
  ImportedConfig result_;
};

}  // namespace

ImportedConfig import_lightgbm_config(std::string_view text) { return Import(text).run(); }

}  // namespace glassrank
