#include "cli/explain/explain_options.h"

#include <string>

#include "glassrank/base/error.h"
#include "glassrank/base/output_file.h"
#include "glassrank/explain/registry.h"

namespace glassrank::cli {
namespace {

constexpr const char* kDefaultMethod = "tree-shap";

// Whose rankings are sums of documents.
std::vector<std::string_view> explainers_of_documents() {
  std::vector<std::string_view> names;
  for (const auto& info : explainer_table()) {
    if (!make_explainer(std::string(info.name))->traits().explains_rankings) {
      names.push_back(info.name);
    }
  }
  return names;
}

void check_files(const ExplainOptions& options) {
  for (const std::string& path : {options.out, options.tsv, options.plot}) {
    if (!path.empty()) refuse_unwritable(path);
  }
}

}  // namespace

ExplainOptions::ExplainOptions() { choose_method(kDefaultMethod); }

void ExplainOptions::choose_method(const std::string& name) {
  method = make_explainer(name);
  method_name = name;
}

void ExplainOptions::visit(ParamVisitor& visitor) {
  visitor.section("data");
  inputs.visit_sources(visitor);
  visitor.section("what to explain");
  choice.visit(visitor);
  visitor.section("method");
  visitor.field(
      "method", method_name,
      "how to explain (glassrank list explainers); kernel-shap if --command names the ranker",
      names_in(explainer_table()));
  method->visit(visitor);
  session.visit(visitor);
  visitor.section("output");
  visitor.field("out", out, "JSON file; for several queries one explanation per line",
                {.file = FileUse::kOutput});
  visitor.field("tsv", tsv, "table with a line for every feature of every explanation",
                {.file = FileUse::kOutput});
  visitor.field("top", top, "number of features to print; 0 for all", kNotNegative);
  visitor.field("plot", plot, "picture (SVG)", {.file = FileUse::kOutput});
  plot_params.visit(visitor);
  visitor.section("advanced");
  inputs.visit_reading(visitor);
}

std::vector<ParamUse> ExplainOptions::uses() const {
  std::vector<ParamUse> uses = inputs.uses();
  add_group_uses(uses, "", method->uses());
  add_uses(uses, param_names(plot_params), "plot");
  add_uses(uses, {"seeds", "audit_typical", "audit_tau"}, "audit");
  uses.push_back({"top_documents", "method", explainers_of_documents()});
  uses.push_back({.name = "top_documents", .needs = "document", .excludes = true});
  uses.push_back({.name = "top_documents", .needs = "pair", .excludes = true});
  return uses;
}

void ExplainOptions::check() const {
  inputs.check();
  choice.check();
  session.check();
  check_files(*this);
}

}  // namespace glassrank::cli
