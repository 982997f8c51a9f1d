#pragma once
// What there is to choose from, by topic: methods, metrics, formats, ... as the registries have it.
// The result of `glassrank list`, and what a form or a completion offers.

#include <string>
#include <string_view>
#include <vector>

#include "glassrank/base/result.h"

namespace glassrank {

struct Choice {
  std::string name;
  std::string doc;

  void visit(ResultVisitor& visitor) const;
};

struct Choices {
  std::string topic;
  std::vector<Choice> entries;

  void visit(ResultVisitor& visitor) const;
};

std::vector<std::string> choice_topics();

// The topic's present name: "models" became "model-formats", "formats" "data-formats".
std::string present_topic(std::string_view topic);

// Throws Error{kUsage} for an unknown topic, with the nearest one.
Choices choices_of(const std::string& topic);

// A line each, for people.
std::string choices_text(const Choices& choices);

}  // namespace glassrank
