// glassrank data stats: what a data file looks like and what is odd about it.

#include "cli/registry.h"
#include "glassrank/data/io/formats.h"
#include "glassrank/data/stats_report.h"
#include "glassrank/data/stats_text.h"

namespace glassrank::cli {
namespace {

class DataStatsCommand final : public Command {
 public:
  std::string name() const override { return "data stats"; }
  std::string summary() const override { return "Describe a data file and what is odd about it"; }
  std::vector<std::string> examples() const override {
    return {"glassrank data stats train.txt", "glassrank data stats train.txt --features --json"};
  }

  void visit(ParamVisitor& visitor) override {
    visitor.field("data", data_, "data file",
                  ParamStyle{.required = true, .positional = true, .file = FileUse::kInput});
    visitor.field("features", features_, "also print a table with a line per feature");
    read_.visit(visitor);
  }

  std::string results() const override { return results_markdown<StatsReport>(); }
  void run(const Context& context, Output& output) override {
    read_.may_lack_grades = true;
    const Dataset data = load_dataset(data_, read_, context);
    const DataStats stats = data_stats(data, {.count_distinct = features_}, context);
    if (output.json) {
      output.out << json_text(stats_report(stats, data, features_));
      return;
    }
    output.out << stats_text(stats, data, features_);
  }

 private:
  std::string data_;
  bool features_ = false;
  ReadParams read_;
};

}  // namespace

std::unique_ptr<Command> make_data_stats_command() { return std::make_unique<DataStatsCommand>(); }

}  // namespace glassrank::cli
