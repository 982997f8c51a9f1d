// glassrank inspect: what is in a model, what it uses, and its trees.

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "cli/inspect_verify.h"
#include "cli/inspect_view.h"
#include "cli/registry.h"
#include "glassrank/base/error.h"
#include "glassrank/base/json.h"
#include "glassrank/base/suggest.h"
#include "glassrank/base/text_columns.h"
#include "glassrank/evaluation/load_rows.h"
#include "glassrank/explain/importance.h"
#include "glassrank/explain/importance_report.h"
#include "glassrank/explain/importance_table.h"
#include "glassrank/models/display_names.h"
#include "glassrank/models/forest/tree_dot.h"
#include "glassrank/models/forest/tree_text.h"
#include "glassrank/models/gam/verify_report.h"
#include "glassrank/models/io/formats.h"
#include "glassrank/models/model_kinds.h"
#include "glassrank/models/scorer.h"

namespace glassrank {
namespace {

enum class InspectFormat { kText, kDot, kJson };

}  // namespace

template <>
struct EnumNames<InspectFormat> {
  static std::span<const std::pair<std::string_view, InspectFormat>> table() {
    static constexpr std::array<std::pair<std::string_view, InspectFormat>, 3> kTable{{
        {"text", InspectFormat::kText},
        {"dot", InspectFormat::kDot},
        {"json", InspectFormat::kJson},
    }};
    return kTable;
  }
};

namespace cli {
namespace {

constexpr std::size_t kMaxCharacters = 80;  // of a provenance value

ImportanceKind parse_kind(const std::string& text) {
  std::vector<std::string> known;
  for (const auto& [name, kind] : EnumNames<ImportanceKind>::table()) {
    if (name == text) return kind;
    known.emplace_back(name);
  }
  throw Error(ErrorKind::kUsage, unknown_name_message("importance", text, known));
}

std::size_t parse_tree(const std::string& text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    fail(ErrorKind::kUsage, "--trees '{}' is not the number of a tree, counted from 0", text);
  }
  return number;
}

// Parameters of training on one line, everything else on a line of its own.
std::string provenance_text(const Provenance& provenance) {
  constexpr std::string_view kParams = "params.";
  TextColumns table;
  std::vector<std::string> params;  // lines
  for (const auto& [key, value] : provenance) {
    if (key.starts_with(kParams)) {
      const std::string param = fmt::format("{}={}", key.substr(kParams.size()), value);
      if (params.empty() || params.back().size() + param.size() >= kMaxCharacters) {
        params.push_back(param);
      } else {
        params.back() += fmt::format(" {}", param);
      }
    } else if (!value.empty()) {
      table.add({fmt::format("  {}", key), value.size() <= kMaxCharacters
                                               ? value
                                               : value.substr(0, kMaxCharacters) + " ..."});
    }
  }
  for (std::size_t i = 0; i < params.size(); ++i) table.add({i == 0 ? "  params" : "", params[i]});
  const std::string text = table.text();
  return text.empty() ? "" : fmt::format("provenance\n{}", text);
}

class InspectCommand final : public Command {
 public:
  std::string name() const override { return "inspect"; }
  std::string summary() const override {
    return "What is in a model: summary, importance of features or effects, trees, pictures, what "
           "it "
           "can depend on";
  }
  std::vector<std::string> examples() const override {
    return {"glassrank inspect --model model.txt",
            "glassrank inspect --model model.txt --data test.txt --importance permutation,gain",
            "glassrank inspect --model model.txt --trees 0,1",
            "glassrank inspect --model model.txt --tree 0 --format dot | dot -Tsvg > tree.svg",
            "glassrank inspect --model ilmart.txt --data train.txt --plots pictures",
            "glassrank inspect --model ilmart.txt --verify"};
  }
  void visit(ParamVisitor& visitor) override {
    visitor.field("model", model_, "model in any format that can be read",
                  {.required = true, .file = FileUse::kInput});
    visitor.field(
        "data", data_,
        "judged documents, for permutation importance; of additive models, also for the weights "
        "of cells",
        {.file = FileUse::kInput});
    visitor.field("importance", importance_,
                  "permutation, gain or splits; empty: all there are, permutation with --data",
                  ParamStyle{.value_name = "KIND"});
    visitor.field("top", top_, "features or effects to list; 0: all", Range{.low = 0, .high = 1e9});
    visitor.field("trees", trees_, "numbers of trees to show, counted from 0",
                  ParamStyle{.value_name = "NUMBER"});
    visitor.field("tree", tree_, "the same", ParamStyle{.value_name = "NUMBER"});
    visitor.field("format", format_, "dot draws trees with Graphviz; json is what --json gives");
    visitor.field("plots", plots_,
                  "folder for a picture (SVG) of every curve and surface of an additive model",
                  {.value_name = "DIR"});
    visitor.field("verify", verify_,
                  "prove from the file alone which effects the model has; fails if it is not "
                  "additive");
    permutation_.visit(visitor);
    convention_.visit(visitor);
    model_read_.visit(visitor);
    read_.visit_matching(visitor);
    // Apart, for both have a format.
    visitor.group("read", read_);
  }

  std::string results() const override {
    return "Importances, for every kind of model:\n\n" + results_markdown<ImportanceReport>() +
           "\nWith `--verify`:\n\n" + results_markdown<VerificationReport>();
  }
  void run(const Context& context, Output& output) override {
    const std::vector<std::size_t> trees = tree_numbers();
    const std::set<ImportanceKind> wanted = wanted_kinds();
    LoadedModel loaded = load_model_and_format(model_, context, model_read_);
    if (verify_) {
      inspect_verification(model_, loaded.model, output);
      return;
    }
    if (!plots_.empty()) loaded.model.body = additive(loaded.model);
    for (const std::size_t tree : trees) tree_of(forest_for("--trees", loaded.model), tree);
    std::optional<Dataset> data;
    if (!data_.empty()) data = load_rows_for(loaded.model, data_, read_, context);
    const std::vector<std::string> names =
        display_names(num_features_of(loaded.model), feature_names_of(loaded.model),
                      data ? data->feature_names() : std::span<const std::string>());
    if (format_ == InspectFormat::kDot && !output.json) {
      output.out << trees_dot(forest_for("--format dot", loaded.model), trees, names);
      return;
    }
    // Whoever asks for trees or pictures wants to see those.
    const bool only_trees = !trees.empty() && importance_.empty() && data_.empty();
    const bool only_plots = !plots_.empty() && importance_.empty();
    Importance importance{.names = names, .permutation = {}, .gain = {}, .splits = {}};
    if (!only_trees && !only_plots) measure(loaded, data, wanted, importance, context);
    const KindView view = view_of(loaded.model,
                                  {.names = names,
                                   .data = data,
                                   .trees = trees,
                                   .top = static_cast<std::size_t>(top_),
                                   .plots = plots_},
                                  context);
    if (output.json || format_ == InspectFormat::kJson) {
      print_json(loaded, view, importance, output);
    } else if (only_trees) {
      output.out << std::string_view(view.parts).substr(1);
    } else {
      print_text(loaded, view, importance, output);
    }
  }

 private:
  // A forest of trees with at most two features each is additive too.
  Gam additive(const Model& model) const {
    try {
      return as_gam(model);
    } catch (Error& error) {
      error.add_context(model_);
      throw;
    }
  }

  Forest forest_for(std::string_view option, const Model& model) const {
    return require_forest(model, fmt::format("{}: {}", model_, option));
  }

  std::vector<std::size_t> tree_numbers() const {
    std::vector<std::size_t> numbers;
    for (const std::string& text : trees_) numbers.push_back(parse_tree(text));
    for (const std::string& text : tree_) numbers.push_back(parse_tree(text));
    if (numbers.empty() && format_ == InspectFormat::kDot) {
      fail(ErrorKind::kUsage, "--format dot draws trees: say which, for example --trees 0,1");
    }
    return numbers;
  }

  // Empty: whatever there is.
  std::set<ImportanceKind> wanted_kinds() const {
    std::set<ImportanceKind> kinds;
    for (const std::string& text : importance_) kinds.insert(parse_kind(text));
    if (kinds.contains(ImportanceKind::kPermutation) && data_.empty()) {
      fail(ErrorKind::kUsage, "--importance permutation needs --data, the documents to rank");
    }
    return kinds;
  }

  // Gains and splits are of trees; permutation is for every model.
  void measure(const LoadedModel& loaded, const std::optional<Dataset>& data,
               const std::set<ImportanceKind>& wanted, Importance& importance,
               const Context& context) const {
    const auto is_wanted = [&](ImportanceKind kind) {
      return wanted.empty() || wanted.contains(kind);
    };
    match(
        loaded.model,
        [&](const Forest& forest) {
          if (is_wanted(ImportanceKind::kSplits)) importance.splits = split_importance(forest);
          if (is_wanted(ImportanceKind::kGain)) importance.gain = gain_importance(forest);
        },
        [&](const auto&) {
          if (wanted.contains(ImportanceKind::kSplits)) {
            forest_for("--importance splits", loaded.model);
          }
          if (wanted.contains(ImportanceKind::kGain)) {
            forest_for("--importance gain", loaded.model);
          }
        });
    if (!importance.gain && wanted.contains(ImportanceKind::kGain)) {
      fail(ErrorKind::kInput,
           "{}: this {} file does not hold the gains of its splits, so there is no importance by "
           "gain; splits and permutation (with --data) need none",
           model_, loaded.format.name);
    }
    if (data && is_wanted(ImportanceKind::kPermutation)) {
      importance.permutation = permutation_importance(*make_scorer(loaded.model), *data,
                                                      permutation_, convention_.resolve(), context);
    }
  }

  void print_text(const LoadedModel& loaded, const KindView& view, const Importance& importance,
                  Output& output) const {
    TextColumns table;
    table.add({"model", model_});
    table.add({"format", fmt::format("{}: {}", loaded.format.name, loaded.format.doc)});
    table.add({"objective", view.objective.empty() ? "not known" : view.objective});
    for (const auto& line : view.lines) table.add(line);
    output.out << table.text() << provenance_text(loaded.model.provenance);
    if (importance.permutation) {
      const PermutationResult& result = *importance.permutation;
      output.out << fmt::format(
          "\n{} is {:.4f} over {} queries; it drops by this much when a feature is permuted {}, {} "
          "times each:\n",
          result.params.metric, result.value, result.num_queries,
          result.params.permute == PermuteOver::kAll ? "over all documents" : "within queries",
          result.params.repeats);
    }
    const std::string text = importance_table(importance, static_cast<std::size_t>(top_));
    if (!text.empty()) output.out << '\n' << text;
    output.out << view.parts;
  }

  void print_json(const LoadedModel& loaded, const KindView& view, const Importance& importance,
                  Output& output) const {
    Json json = {{"model", model_}, {"format", loaded.format.name}, {"objective", view.objective}};
    json.update(view.facts);
    json["provenance"] = Json::object();
    for (const auto& [key, value] : loaded.model.provenance) json["provenance"][key] = value;
    if (importance.has_any()) {
      json.update(to_json(importance_report(importance, static_cast<std::size_t>(top_))));
    }
    json.update(view.part_facts);
    // Names come from files and may be in any encoding.
    output.out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
  }

  std::string model_;
  std::string data_;
  std::vector<std::string> importance_;
  int top_ = 20;
  std::vector<std::string> trees_;
  std::vector<std::string> tree_;
  InspectFormat format_ = InspectFormat::kText;
  std::string plots_;
  bool verify_ = false;
  PermutationParams permutation_;
  ConventionChoice convention_;
  ModelReadParams model_read_;
  ReadParams read_;
};

}  // namespace

std::unique_ptr<Command> make_inspect_command() { return std::make_unique<InspectCommand>(); }

}  // namespace cli
}  // namespace glassrank
