// glassrank list: what there is to choose from.

#include <fmt/format.h>

#include "cli/registry.h"
#include "glassrank/report/choices.h"

namespace glassrank::cli {
namespace {

class ListCommand final : public Command {
 public:
  std::string name() const override { return "list"; }
  std::string summary() const override { return "What there is to choose from"; }
  std::vector<std::string> examples() const override { return {"glassrank list metrics"}; }
  void visit(ParamVisitor& visitor) override {
    visitor.field("topic", topic_, fmt::format("{}", fmt::join(choice_topics(), ", ")),
                  {.required = true, .positional = true});
  }

  std::string results() const override { return results_markdown<Choices>(); }
  void run(const Context& context, Output& output) override {
    const std::string topic = present_topic(topic_);
    if (topic != topic_) context.warn(fmt::format("{} is called {} now", topic_, topic));
    const Choices choices = choices_of(topic);
    output.out << (output.json ? json_text(choices) : choices_text(choices));
  }

 private:
  std::string topic_;
};

}  // namespace

std::unique_ptr<Command> make_list_command() { return std::make_unique<ListCommand>(); }

}  // namespace glassrank::cli
