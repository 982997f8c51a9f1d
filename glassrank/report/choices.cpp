#include "glassrank/report/choices.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/suggest.h"
#include "glassrank/explain/registry.h"
#include "glassrank/methods/cleaners/clean_params.h"
#include "glassrank/methods/lambdamart/sample_params.h"
#include "glassrank/methods/registry.h"
#include "glassrank/metrics/convention.h"
#include "glassrank/metrics/registry.h"
#include "glassrank/models/io/formats.h"
#include "glassrank/objectives/registry.h"

namespace glassrank {
namespace {

using Entries = std::vector<Choice>;

// Of a registry whose lines have a name and a doc.
template <typename Table>
Entries entries_of(const Table& table) {
  Entries entries;
  for (const auto& info : table) entries.push_back({std::string(info.name), std::string(info.doc)});
  return entries;
}

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
    entries.push_back(
        {fmt::format("{}{}{}", info.name, params_text(info), info.has_cutoff ? "[@k]" : ""),
         std::string(info.doc)});
  }
  return entries;
}

Entries data_formats() {
  return {{"svmlight", "LETOR and SVMlight text: grade qid:Q 1:v 2:v ... # document"},
          {"csv", "comma-separated, with a header naming grade, query and feature columns"},
          {"tsv", "the same with tabs"},
          {"cache", "binary, made by glassrank data cache; opens by memory-map"},
          {"bins", "the same with bins instead of values (data cache --binned), for training"},
          {"trec", "runs and qrels, for evaluate and compare"}};
}

Entries tests() {
  return {{"fisher", "Fisher's randomisation test of the difference of means"},
          {"student", "the paired t-test"},
          {"wilcoxon", "the signed-rank test"},
          {"tukey", "Tukey's HSD over all systems, queries as blocks"}};
}

using Topic = std::pair<std::string_view, Entries (*)()>;

constexpr Topic kTopics[] = {
    {"methods", [] { return entries_of(method_table()); }},
    {"metrics", metrics},
    {"conventions", [] { return entries_of(convention_table()); }},
    {"data-formats", data_formats},
    {"model-formats", [] { return entries_of(model_formats()); }},
    {"objectives", [] { return entries_of(objective_table()); }},
    {"samplers", [] { return entries_of(sampler_table()); }},
    {"cleaners", [] { return entries_of(cleaner_table()); }},
    {"explainers", [] { return entries_of(explainer_table()); }},
    {"tests", tests},
};

}  // namespace

void Choice::visit(ResultVisitor& visitor) const {
  visitor.field("name", name, "as options take it");
  visitor.field("doc", doc, "what it is");
}

void Choices::visit(ResultVisitor& visitor) const {
  visitor.field("topic", topic, "what is listed");
  visitor.list("entries", entries, "in the order of the registry");
}

std::vector<std::string> choice_topics() {
  std::vector<std::string> names;
  for (const auto& [name, entries] : kTopics) names.emplace_back(name);
  return names;
}

std::string present_topic(std::string_view topic) {
  if (topic == "formats") return "data-formats";
  if (topic == "models") return "model-formats";
  return std::string(topic);
}

Choices choices_of(const std::string& topic) {
  const auto found = std::ranges::find(kTopics, topic, &Topic::first);
  if (found == std::end(kTopics)) {
    throw Error(ErrorKind::kUsage, unknown_name_message("topic", topic, choice_topics()));
  }
  return {.topic = topic, .entries = found->second()};
}

std::string choices_text(const Choices& choices) {
  std::size_t width = 0;
  for (const Choice& choice : choices.entries) width = std::max(width, choice.name.size());
  std::string text;
  for (const auto& [name, doc] : choices.entries) {
    text += (doc.empty() ? name : fmt::format("{:<{}}  {}", name, width, doc)) + '\n';
  }
  return text;
}

}  // namespace glassrank
