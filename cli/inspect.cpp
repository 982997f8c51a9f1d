// glassrank inspect: what is in a model, what it uses, and its trees.

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "cli/inspect_verify.h"
#include "cli/registry.h"
#include "glassrank/base/error.h"
#include "glassrank/base/suggest.h"
#include "glassrank/evaluation/load_rows.h"
#include "glassrank/metrics/convention_text.h"
#include "glassrank/models/display_names.h"
#include "glassrank/models/forest/tree_dot.h"
#include "glassrank/models/gam/verify_report.h"
#include "glassrank/models/io/formats.h"
#include "glassrank/models/model_kinds.h"
#include "glassrank/report/inspect_model.h"

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
            "glassrank inspect --model ilmart.txt --verify",
            "glassrank inspect --command ./rank.sh --num-features 46 --data test.txt"};
  }
  void visit(ParamVisitor& visitor) override {
    visitor.field("model", model_, "model in any format that can be read",
                  {.file = FileUse::kInput});
    visitor.field("command", command_,
                  "instead of a model: a command that reads a line of tab-separated features per "
                  "document and writes a score per line; its permutation importance is shown",
                  {.value_name = "COMMAND"});
    visitor.field("num_features", num_features_, "features that --command reads", kNotNegative);
    visitor.field("command_seconds", command_seconds_,
                  "seconds that --command may take for a batch of documents; 0 for no limit",
                  kNotNegative);
    visitor.field(
        "data", data_,
        "judged data for permutation importance; for additive models also for the weights of cells",
        {.file = FileUse::kInput});
    visitor.field("importance", importance_,
                  "which importance: permutation, gain or splits; empty shows all that are "
                  "available, permutation if there is --data",
                  ParamStyle{.value_name = "KIND"});
    visitor.field("top", top_, "number of features or effects to list; 0 for all",
                  Range{.low = 0, .high = 1e9});
    visitor.field("trees", trees_, "numbers of trees to show, counted from 0",
                  ParamStyle{.value_name = "NUMBER"});
    visitor.field("tree", tree_, "number of the tree", ParamStyle{.value_name = "NUMBER"});
    visitor.field("format", format_, "output format: text, dot (for Graphviz) or json (as --json)");
    visitor.field("plots", plots_,
                  "folder for a picture (SVG) of every curve and surface of an additive model",
                  {.value_name = "DIR"});
    visitor.field("verify", verify_,
                  "prove from the file alone which effects the model has; the command fails if it "
                  "is not additive");
    permutation_.visit(visitor);
    convention_.visit(visitor);
    model_read_.visit(visitor);
    read_.visit_matching(visitor);
    // Apart, for both have a format.
    visitor.group("read", read_);
  }

  std::vector<ParamUse> uses() const override {
    std::vector<ParamUse> uses = {{"command_seconds", "command"}, {"all_trees", "model"}};
    for (const std::vector<std::string>& names :
         {param_names(permutation_), param_names(convention_), param_names(read_, "read.")}) {
      add_uses(uses, names, "data");
    }
    add_uses(uses, {"match", "first_feature"}, "data");
    return uses;
  }

  // Their names come from the model, which is not read yet: any picture there may be written over.
  std::vector<NamedFile> files_beside() const override {
    std::vector<NamedFile> files;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(plots_, error)) {
      if (entry.path().extension() != ".svg") continue;
      files.push_back({"a picture in --plots", entry.path().string()});
    }
    return files;
  }

  std::string results() const override {
    return "For every kind of model:\n\n" + results_markdown<InspectReport>() +
           kind_results_markdown() + "\nWith `--verify`:\n\n" +
           results_markdown<VerificationReport>();
  }
  void run(const Context& context, Output& output) override {
    const std::vector<std::size_t> trees = tree_numbers();
    const std::set<ImportanceKind> wanted = wanted_kinds();
    check_ranker();
    const MetricSpec metric = parse_metric(permutation_.metric);
    refuse_unused(convention_, {&metric, 1});
    if (!command_.empty()) {
      print(inspect_command(wanted, context), output);
      return;
    }
    LoadedModel loaded = load_model_and_format(model_, context, model_read_);
    if (verify_) {
      inspect_verification(model_, loaded.model, output);
      return;
    }
    std::optional<Dataset> data;
    if (!data_.empty()) data = load_rows_for(loaded.model, data_, read_, context);
    if (!plots_.empty())
      loaded.model.body = as_gam(model_, loaded.model, data ? &*data : nullptr, context);
    if (format_ == InspectFormat::kDot && !output.json) {
      print_dot(loaded.model, trees, data, output);
      return;
    }
    // Whoever asks for trees or pictures wants to see those.
    const bool only_trees = !trees.empty() && importance_.empty() && data_.empty();
    const bool only_plots = !plots_.empty() && importance_.empty();
    const InspectReport report = inspect_model(loaded,
                                               {.model = model_,
                                                .data = data ? &*data : nullptr,
                                                .kinds = wanted,
                                                .has_importance = !only_trees && !only_plots,
                                                .trees = trees,
                                                .top = static_cast<std::size_t>(top_),
                                                .plots = plots_,
                                                .permutation = permutation_,
                                                .convention = convention_.resolve()},
                                               context);
    if (only_trees && !output.json && format_ != InspectFormat::kJson) {
      output.out << report.kind->parts_text().substr(1);
    } else {
      print(report, output);
    }
  }

 private:
  void print(const InspectReport& report, Output& output) const {
    if (output.json || format_ == InspectFormat::kJson) {
      output.out << json_text(report);
      return;
    }
    output.out << inspect_text(report);
    if (report.num_plots > 0) {
      output.out << fmt::format("\n{} pictures in {}\n", report.num_plots, plots_);
    }
  }

  void check_ranker() const {
    if (model_.empty() == command_.empty()) {
      fail(ErrorKind::kUsage, "name the ranker: either --model FILE or --command COMMAND");
    }
    if (command_.empty() == (num_features_ > 0)) {
      fail(ErrorKind::kUsage, "--command and --num-features, the features it reads, go together");
    }
    if (!command_.empty() && (verify_ || !plots_.empty() || !trees_.empty() || !tree_.empty())) {
      fail(ErrorKind::kUsage,
           "only the scores of a command are known: it has no trees, plots or proofs");
    }
  }

  InspectReport inspect_command(const std::set<ImportanceKind>& wanted,
                                const Context& context) const {
    const auto scorer =
        make_command_scorer({.command = command_,
                             .num_features = static_cast<std::size_t>(num_features_),
                             .seconds = command_seconds_});
    std::optional<Dataset> data;
    if (!data_.empty()) {
      ReadParams read = read_;
      read.num_features = num_features_;
      data = load_dataset(data_, read, context);
    }
    return inspect_black_box(*scorer,
                             {.model = command_,
                              .data = data ? &*data : nullptr,
                              .kinds = wanted,
                              .top = static_cast<std::size_t>(top_),
                              .permutation = permutation_,
                              .convention = convention_.resolve()},
                             context);
  }

  // A forest of trees with at most two features each is additive, too, and so is a linear model.

  void print_dot(const Model& model, const std::vector<std::size_t>& trees,
                 const std::optional<Dataset>& data, Output& output) const {
    const Forest forest = require_forest(model, fmt::format("{}: --trees", model_));
    output.out << trees_dot(
        forest, trees,
        display_names(forest, data ? data->feature_names() : std::span<const std::string>()));
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

  std::string model_;
  std::string command_;
  int num_features_ = 0;
  double command_seconds_ = 600;
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
