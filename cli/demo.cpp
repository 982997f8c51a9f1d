// glassrank demo: the main job on the embedded book shop, ending with a report.

#include "glassrank/report/demo/demo.h"

#include "cli/registry.h"
#include "cli/report_inputs.h"

namespace glassrank::cli {
namespace {

class DemoCommand final : public Command {
 public:
  std::string name() const override { return "demo"; }
  std::string summary() const override {
    return "Train, clean, explain and audit on book searches that come with the program; ends with "
           "a report";
  }
  void visit(ParamVisitor& visitor) override {
    visitor.field("out", out_, "folder for the data and the report", {.value_name = "FOLDER"});
  }

  std::string results() const override { return results_markdown<DemoResult>(); }
  void run(const Context& context, Output& output) override {
    const DemoFindings findings = run_demo(out_, date_now(), context);
    output.out << (output.json ? json_text(demo_result(findings)) : demo_text(findings));
  }

 private:
  std::string out_ = "glassrank-demo";
};

}  // namespace

std::unique_ptr<Command> make_demo_command() { return std::make_unique<DemoCommand>(); }

}  // namespace glassrank::cli
