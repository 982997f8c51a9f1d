#include "cli/explain/explain_options.h"

#include <algorithm>
#include <utility>

#include "cli/output_file.h"
#include "cli/same_file.h"
#include "glassrank/base/error.h"
#include "glassrank/explain/registry.h"

namespace glassrank::cli {
namespace {

constexpr std::string_view kDefaultMethod = "tree-shap";

void check_files(const ExplainOptions& options) {
  const std::vector<std::pair<std::string, std::string>> inputs = {
      {options.model, "the model"},
      {options.data, "the data file"},
      {options.background, "the background data"}};
  const std::vector<std::pair<std::string, std::string>> outputs = {
      {"--out", options.out}, {"--tsv", options.tsv}, {"--plot", options.plot}};
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto& [option, path] = outputs[i];
    if (path.empty()) continue;
    for (const auto& [input, what] : inputs) {
      if (!input.empty()) refuse_same_file(input, path, option, what);
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (outputs[j].second != path) continue;
      fail(ErrorKind::kUsage, "{} and {} name the same file {}", outputs[j].first, option, path);
    }
    refuse_unwritable(path);
  }
}

}  // namespace

ExplainOptions::ExplainOptions() {
  const std::span<const ExplainerInfo> table = explainer_table();
  if (table.empty()) return;
  const bool has_default =
      std::ranges::find(table, kDefaultMethod, &ExplainerInfo::name) != table.end();
  choose_method(std::string(has_default ? kDefaultMethod : table.front().name));
}

void ExplainOptions::choose_method(const std::string& name) {
  method = make_explainer(name);
  method_name = name;
}

void ExplainOptions::visit(ParamVisitor& visitor) {
  visitor.section("data");
  visitor.field("model", model, "model in any format that can be read", {.value_name = "FILE"});
  visitor.field(
      "command", command,
      "any ranker instead of a model: a command that reads a line of values per document, "
      "apart by tabs, and writes a line with a score for each",
      {.value_name = "CMD"});
  visitor.field("num_features", num_features, "values in a line for --command; 0: as in the data",
                kNotNegative);
  visitor.field("seconds", seconds, "time limit for one call of --command; 0: none", kNotNegative);
  visitor.field("data", data, "documents to explain", {.required = true, .value_name = "FILE"});
  visitor.field("background", background,
                "what is usual: data whose values stand in for features that are not known; empty "
                "is the data itself",
                {.value_name = "FILE"});
  visitor.section("what to explain");
  choice.visit(visitor);
  visitor.section("method");
  visitor.field("method", method_name, "how to explain (glassrank list explainers)",
                names_in(explainer_table()));
  if (method) method->visit(visitor);
  aggregation.visit(visitor);
  visitor.section("output");
  visitor.field("out", out, "JSON; of several queries an explanation a line",
                {.value_name = "FILE"});
  visitor.field("tsv", tsv, "table with a line for every feature of every explanation",
                {.value_name = "FILE"});
  visitor.field("top", top, "features to print; 0: all", kNotNegative);
  visitor.field("plot", plot, "picture (SVG)", {.value_name = "FILE"});
  plot_params.visit(visitor);
  visitor.section("advanced");
  visitor.group("read", read);
}

void ExplainOptions::check() const {
  if (model.empty() == command.empty()) {
    fail(ErrorKind::kUsage, "say what ranks the documents: --model FILE or --command CMD{}",
         model.empty() ? "" : ", not both");
  }
  if (command.empty() && num_features > 0) {
    fail(ErrorKind::kUsage, "--num-features is for --command; a model knows its features");
  }
  choice.check();
  if (!method) fail(ErrorKind::kUsage, "there is no explainer in this program");
  check_files(*this);
}

}  // namespace glassrank::cli
