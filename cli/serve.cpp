// glassrank serve: a model behind HTTP, with the report's page live.

#include "glassrank/report/server/serve.h"

#include <string>

#include <fmt/format.h>

#include "cli/registry.h"
#include "cli/report_inputs.h"
#include "glassrank/base/error.h"
#include "glassrank/base/result.h"

namespace glassrank::cli {
namespace {

class ServeCommand final : public Command {
 public:
  // What the page need not hold: the server answers when it is asked.
  ServeCommand() {
    report_.list_queries = 0;
    report_.counterfactual_queries = 0;
  }

  std::string name() const override { return "serve"; }
  std::string summary() const override {
    return "A model behind HTTP: scores, explanations, and the report's page live";
  }
  std::vector<std::string> examples() const override {
    return {"glassrank serve --model model.txt --data test.txt --train train.txt",
            "glassrank serve --model lightgbm.txt --port 9000 --token-file secret.txt"};
  }

  void visit(ParamVisitor& visitor) override {
    visitor.section("data");
    visitor.field("model", model_, "model in any format that can be read",
                  {.required = true, .file = FileUse::kInput});
    visitor.field("data", data_,
                  "judged documents, for the page and for requests that name a query; without them "
                  "only scores are given",
                  {.file = FileUse::kInput});
    visitor.field("train", train_,
                  "training data, which shows which values are usual; without it --data does",
                  {.file = FileUse::kInput});
    visitor.section("server");
    params_.visit(visitor);
    visitor.section("page");
    report_.visit(visitor);
    visitor.section("advanced");
    read_.visit_matching(visitor);
    visitor.group("read", read_);
  }

  std::string results() const override { return results_markdown<ServerAddress>(); }
  void run(const Context& context, Output& output) override {
    const ReportFiles files{.models = {model_}, .data = data_, .train = train_, .read = read_};
    serve(
        report_task(files, command(), context), params_, report_,
        [&](const ServerAddress& address) { print(address, output); }, context);
  }

 private:
  static void print(const ServerAddress& address, Output& output) {
    if (output.json) {
      output.out << json_line(address);
    } else {
      output.out << fmt::format("{} at {}{}\n", address.model, address.address,
                                address.asks_token ? " (with the token)" : "");
    }
    output.out.flush();  // whoever started the server waits for it
  }

  std::string command() const {
    std::string text = "glassrank serve --model " + model_;
    if (!data_.empty()) text += " --data " + data_;
    if (!train_.empty()) text += " --train " + train_;
    return text;
  }

  std::string model_;
  std::string data_;
  std::string train_;
  ServeParams params_;
  ReportParams report_;
  ReadParams read_;
};

}  // namespace

std::unique_ptr<Command> make_serve_command() { return std::make_unique<ServeCommand>(); }

}  // namespace glassrank::cli
