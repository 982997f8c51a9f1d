// glassrank inspect: what is in a model, what it uses, and its trees.

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "cli/inspect_gam.h"
#include "cli/model_scores.h"
#include "cli/registry.h"
#include "glassrank/base/error.h"
#include "glassrank/base/json.h"
#include "glassrank/base/suggest.h"
#include "glassrank/base/text_columns.h"
#include "glassrank/explain/importance.h"
#include "glassrank/explain/importance_json.h"
#include "glassrank/explain/importance_table.h"
#include "glassrank/models/forest/forest_summary.h"
#include "glassrank/models/forest/tree_dot.h"
#include "glassrank/models/forest/tree_json.h"
#include "glassrank/models/forest/tree_text.h"
#include "glassrank/models/io/formats.h"
#include "glassrank/models/model_scorer.h"

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

constexpr std::size_t kMaxListed = 20;  // names in a list

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

std::string listed(std::span<const std::uint32_t> features, std::span<const std::string> names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(features.size(), kMaxListed); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ", ", names[features[i]]);
  }
  if (features.size() > kMaxListed) {
    text += fmt::format(" and {} more", features.size() - kMaxListed);
  }
  return text;
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
                  {.required = true, .value_name = "FILE"});
    visitor.field(
        "data", data_,
        "judged documents, for permutation importance; of additive models, for the weights of "
        "cells",
        {.value_name = "FILE"});
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
    // Apart, for both have a format.
    visitor.group("read", read_);
  }

  void run(const Context& context, Output& output) override {
    const std::vector<std::size_t> trees = tree_numbers();
    const std::set<ImportanceKind> wanted = wanted_kinds();
    LoadedModel loaded = load_model_and_format(model_, context);
    if (verify_) {
      inspect_verification(model_, loaded.model, output);
      return;
    }
    if (!plots_.empty()) loaded.model = as_additive(loaded.model);
    if (std::holds_alternative<Gam>(loaded.model.body)) {
      inspect_additive(loaded, !trees.empty() || !importance_.empty(), context, output);
      return;
    }
    const Forest& forest = require_forest(loaded.model, model_);
    for (const std::size_t tree : trees) tree_of(forest, tree);
    std::optional<Dataset> data;
    if (!data_.empty()) data = load_rows_for(loaded.model, data_, read_, context);
    const auto names =
        display_names(forest, data ? data->feature_names() : std::span<const std::string>());
    if (format_ == InspectFormat::kDot && !output.json) {
      output.out << trees_dot(forest, trees, names);
      return;
    }
    // Whoever asks for trees wants to see trees.
    const bool only_trees = !trees.empty() && importance_.empty() && data_.empty();
    Importance importance{.names = names, .permutation = {}, .gain = {}, .splits = {}};
    if (!only_trees) measure(forest, data, wanted, loaded.format, importance, context);
    if (output.json || format_ == InspectFormat::kJson) {
      print_json(loaded, importance, trees, only_trees, output);
      return;
    }
    if (!only_trees) print_summary(loaded, importance, output);
    for (std::size_t i = 0; i < trees.size(); ++i) {
      output.out << (i == 0 && only_trees ? "" : "\n") << tree_text(forest, trees[i], names);
    }
  }

 private:
  // A forest of trees with at most two features each is additive too.
  Model as_additive(const Model& model) const {
    try {
      return model_for(model_format("gam-json"), model);
    } catch (Error& error) {
      error.add_context(model_);
      throw;
    }
  }

  void inspect_additive(const LoadedModel& loaded, bool asks_for_trees, const Context& context,
                        Output& output) const {
    if (asks_for_trees) {
      fail(ErrorKind::kUsage, "--trees and --importance need a forest; {} is an additive model",
           model_);
    }
    std::optional<Dataset> data;
    if (!data_.empty()) data = load_rows_for(loaded.model, data_, read_, context);
    Output chosen{.out = output.out, .json = output.json || format_ == InspectFormat::kJson};
    inspect_gam({.model = model_, .top = static_cast<std::size_t>(top_), .plots = plots_}, loaded,
                data, context, chosen);
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

  void measure(const Forest& forest, const std::optional<Dataset>& data,
               const std::set<ImportanceKind>& wanted, const ModelFormat& format,
               Importance& importance, const Context& context) const {
    const auto is_wanted = [&](ImportanceKind kind) {
      return wanted.empty() || wanted.contains(kind);
    };
    if (is_wanted(ImportanceKind::kSplits)) importance.splits = split_importance(forest);
    if (is_wanted(ImportanceKind::kGain)) importance.gain = gain_importance(forest);
    if (!importance.gain && wanted.contains(ImportanceKind::kGain)) {
      fail(ErrorKind::kInput,
           "{}: this {} file does not hold the gains of its splits, so there is no importance by "
           "gain; splits and permutation (with --data) need none",
           model_, format.name);
    }
    if (data && is_wanted(ImportanceKind::kPermutation)) {
      importance.permutation =
          permutation_importance(forest, *data, permutation_, convention_.resolve(), context);
    }
  }

  void print_summary(const LoadedModel& loaded, const Importance& importance,
                     Output& output) const {
    const Forest& forest = require_forest(loaded.model, model_);
    const ForestSummary summary = summarise(forest);
    TextColumns table;
    table.add({"model", model_});
    table.add({"format", fmt::format("{}: {}", loaded.format.name, loaded.format.doc)});
    table.add({"objective", forest.objective().empty() ? "not known" : forest.objective()});
    table.add({"trees", fmt::format("{}", summary.num_trees)});
    table.add({"leaves",
               fmt::format("{}, {} in the largest tree", summary.num_leaves, summary.most_leaves)});
    table.add({"depth", fmt::format("{} at most, {:.1f} in the mean over leaves", summary.depth,
                                    summary.mean_leaf_depth)});
    table.add({"features",
               fmt::format("{}, {} of them used", forest.num_features(), summary.used.size())});
    if (!summary.unused.empty()) table.add({"unused", listed(summary.unused, importance.names)});
    table.add({"base score", fmt::format("{}", forest.base_score())});
    if (!summary.has_gains) {
      table.add({"gains", "not in the file: there is no importance by gain"});
    }
    if (!summary.has_counts) table.add({"counts", "of documents are not in the file"});
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
  }

  void print_json(const LoadedModel& loaded, const Importance& importance,
                  std::span<const std::size_t> trees, bool only_trees, Output& output) const {
    const Forest& forest = require_forest(loaded.model, model_);
    const ForestSummary summary = summarise(forest);
    Json json = {{"model", model_},
                 {"format", loaded.format.name},
                 {"objective", forest.objective()},
                 {"num_trees", summary.num_trees},
                 {"num_leaves", summary.num_leaves},
                 {"most_leaves", summary.most_leaves},
                 {"depth", summary.depth},
                 {"mean_leaf_depth", summary.mean_leaf_depth},
                 {"num_features", forest.num_features()},
                 {"num_used", summary.used.size()},
                 {"base_score", forest.base_score()},
                 {"has_gains", summary.has_gains},
                 {"has_counts", summary.has_counts}};
    json["unused"] = Json::array();
    for (const std::uint32_t f : summary.unused) json["unused"].push_back(importance.names[f]);
    json["provenance"] = Json::object();
    for (const auto& [key, value] : loaded.model.provenance) json["provenance"][key] = value;
    if (!only_trees) add_importance(json, importance, static_cast<std::size_t>(top_));
    for (const std::size_t tree : trees) {
      json["trees"].push_back(tree_json(forest, tree, importance.names));
    }
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
  ReadParams read_;
};

}  // namespace

std::unique_ptr<Command> make_inspect_command() { return std::make_unique<InspectCommand>(); }

}  // namespace cli
}  // namespace glassrank
