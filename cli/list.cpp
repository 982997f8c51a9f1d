// glassrank list: what there is to choose from.

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/registry.h"
#include "glassrank/base/error.h"
#include "glassrank/base/result.h"
#include "glassrank/base/suggest.h"
#include "glassrank/explain/registry.h"
#include "glassrank/methods/cleaners/clean_params.h"
#include "glassrank/methods/lambdamart/sample_params.h"
#include "glassrank/methods/registry.h"
#include "glassrank/metrics/convention.h"
#include "glassrank/metrics/registry.h"
#include "glassrank/models/io/formats.h"
#include "glassrank/objectives/registry.h"

namespace glassrank::cli {
namespace {

struct ListEntry {
  std::string name;
  std::string doc;

  void visit(ResultVisitor& visitor) const {
    visitor.field("name", name, "as options take it");
    visitor.field("doc", doc, "what it is");
  }
};

struct ListResult {
  std::string topic;
  std::vector<ListEntry> entries;

  void visit(ResultVisitor& visitor) const {
    visitor.field("topic", topic, "what is listed");
    visitor.list("entries", entries, "in the order of the registry");
  }
};

using Entries = std::vector<std::pair<std::string, std::string>>;

std::string params_text(const MetricInfo& info) {
  std::string text;
  for (const MetricParam& param : info.params) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", param.name, param.default_text);
  }
  return text.empty() ? "" : "(" + text + ")";
}

Entries metrics() {
  Entries entries;
  for (const MetricInfo& info : metric_table()) {
    entries.emplace_back(
        fmt::format("{}{}{}", info.name, params_text(info), info.has_cutoff ? "[@k]" : ""),
        info.doc);
  }
  return entries;
}

Entries conventions() {
  Entries entries;
  for (const ConventionInfo& info : convention_table()) entries.emplace_back(info.name, info.doc);
  return entries;
}

Entries data_formats() {
  return {{"svmlight", "LETOR and SVMlight text: grade qid:Q 1:v 2:v ... # document"},
          {"csv", "comma-separated, with a header naming grade, query and feature columns"},
          {"tsv", "the same with tabs"},
          {"cache", "binary, made by glassrank data cache; opens by memory-map"},
          {"trec", "runs and qrels, for evaluate and compare"}};
}

Entries models() {
  Entries entries;
  for (const ModelFormat& format : model_formats()) entries.emplace_back(format.name, format.doc);
  return entries;
}

Entries objectives() {
  Entries entries;
  for (const ObjectiveInfo& info : objective_table()) entries.emplace_back(info.name, info.doc);
  return entries;
}

Entries cleaners() {
  Entries entries;
  for (const CleanerInfo& info : cleaner_table()) entries.emplace_back(info.name, info.doc);
  return entries;
}

Entries samplers() {
  Entries entries;
  for (const SamplerInfo& info : sampler_table()) entries.emplace_back(info.name, info.doc);
  return entries;
}

Entries methods() {
  Entries entries;
  for (const MethodInfo& info : method_table()) entries.emplace_back(info.name, info.doc);
  return entries;
}

Entries explainers() {
  Entries entries;
  for (const ExplainerInfo& info : explainer_table()) entries.emplace_back(info.name, info.doc);
  return entries;
}

Entries tests() {
  return {{"fisher", "Fisher's randomisation test of the difference of means"},
          {"student", "the paired t-test"},
          {"wilcoxon", "the signed-rank test"},
          {"tukey", "Tukey's HSD over all systems, queries as blocks"}};
}

const std::vector<std::pair<std::string, std::function<Entries()>>>& topics() {
  static const std::vector<std::pair<std::string, std::function<Entries()>>> all = {
      {"methods", methods},      {"metrics", metrics},   {"conventions", conventions},
      {"formats", data_formats}, {"models", models},     {"objectives", objectives},
      {"samplers", samplers},    {"cleaners", cleaners}, {"explainers", explainers},
      {"tests", tests},
  };
  return all;
}

class ListCommand final : public Command {
 public:
  std::string name() const override { return "list"; }
  std::string summary() const override { return "What there is to choose from"; }
  std::vector<std::string> examples() const override { return {"glassrank list metrics"}; }
  void visit(ParamVisitor& visitor) override {
    visitor.field("topic", topic_,
                  "methods (of training), metrics, conventions, formats (of data), models (their "
                  "formats), objectives, samplers, cleaners, explainers or tests",
                  {.required = true, .positional = true});
  }

  std::string results() const override { return results_markdown<ListResult>(); }
  void run(const Context&, Output& output) override {
    const auto topic = std::ranges::find(topics(), topic_, [](const auto& t) { return t.first; });
    if (topic == topics().end()) {
      std::vector<std::string> known;
      for (const auto& [name, entries] : topics()) known.push_back(name);
      throw Error(ErrorKind::kUsage, unknown_name_message("topic", topic_, known));
    }
    const Entries entries = topic->second();
    if (output.json) {
      ListResult result{.topic = topic_, .entries = {}};
      for (const auto& [name, doc] : entries) result.entries.push_back({name, doc});
      output.out << json_text(result);
      return;
    }
    std::size_t width = 0;
    for (const auto& [name, doc] : entries) width = std::max(width, name.size());
    for (const auto& [name, doc] : entries) {
      output.out << (doc.empty() ? name : fmt::format("{:<{}}  {}", name, width, doc)) << '\n';
    }
  }

 private:
  std::string topic_;
};

}  // namespace

std::unique_ptr<Command> make_list_command() { return std::make_unique<ListCommand>(); }

}  // namespace glassrank::cli
