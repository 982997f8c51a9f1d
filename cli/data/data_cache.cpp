// glassrank data cache: converts a data file once into a binary file that opens in an instant.

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "cli/registry.h"
#include "glassrank/data/make_cache.h"

namespace glassrank::cli {
namespace {

std::string size_text(std::size_t num_bytes) {
  const auto bytes = static_cast<double>(num_bytes);
  return bytes < 1e6 ? fmt::format("{:.1f} KB", bytes / 1e3)
                     : fmt::format("{:.1f} MB", bytes / 1e6);
}

class DataCache final : public Command {
 public:
  std::string name() const override { return "data cache"; }
  std::string summary() const override {
    return "Convert a data file once into a binary file that opens in an instant";
  }
  std::vector<std::string> examples() const override {
    return {"glassrank data cache train.txt --out train.cache",
            "glassrank data cache huge.txt --out huge.bins --binned --streaming"};
  }

  void visit(ParamVisitor& visitor) override {
    visitor.field("data", task_.data, "data file",
                  ParamStyle{.required = true, .positional = true, .file = FileUse::kInput});
    visitor.field("out", task_.out, "cache file to write",
                  ParamStyle{.required = true, .file = FileUse::kOutput});
    visitor.field("binned", task_.binned, "keep bins for tree learners instead of feature values");
    visitor.field(
        "streaming", task_.streaming,
        "read the file twice (three times for bins) instead of holding its values in memory");
    task_.read.visit(visitor);
    task_.bins.visit(visitor);
  }

  std::vector<ParamUse> uses() const override {
    std::vector<ParamUse> uses;
    add_uses(uses, param_names(task_.bins), "binned");
    return uses;
  }
  std::string results() const override { return results_markdown<CacheResult>(); }
  void run(const Context& context, Output& output) override {
    const CacheResult written = make_cache(task_, context);
    if (output.json) {
      output.out << json_text(written);
      return;
    }
    fmt::print(output.out, "{:<10}{}\n{:<10}{}\n{:<10}{}\n{:<10}{}\n{:<10}{}\n", "file",
               written.out, "rows", written.num_rows, "queries", written.num_queries, "features",
               written.num_features, "size", size_text(written.num_bytes));
  }

 private:
  CacheTask task_;
};

}  // namespace

std::unique_ptr<Command> make_data_cache_command() { return std::make_unique<DataCache>(); }

}  // namespace glassrank::cli
