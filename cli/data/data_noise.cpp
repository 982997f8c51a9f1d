// glassrank data noise: flips grades and logs which.

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "cli/file_check.h"
#include "cli/registry.h"
#include "glassrank/data/io/kept_rows.h"
#include "glassrank/data/noisy_file.h"

namespace glassrank::cli {
namespace {

class DataNoise final : public Command {
 public:
  // Every column is copied as it is; nobody looks at features.
  DataNoise() { file_.read.text_columns = TextColumnUse::kIgnore; }
  std::string name() const override { return "data noise"; }
  std::string summary() const override { return "Give some documents a wrong grade, on purpose"; }
  std::vector<std::string> examples() const override {
    return {
        "glassrank data noise --data train.txt --out noisy.txt --probability 0.1 --log flips.tsv",
        "glassrank data noise --data train.txt --out noisy.txt --mode lowest-to-highest"};
  }

  void visit(ParamVisitor& visitor) override {
    visitor.field("data", file_.from, "data file",
                  ParamStyle{.required = true, .file = FileUse::kInput});
    visitor.field("out", file_.out, "file to write",
                  ParamStyle{.required = true, .file = FileUse::kOutput});
    file_.noise.visit(visitor);
    visitor.field("log", file_.log, "TSV file that lists every flipped grade",
                  ParamStyle{.file = FileUse::kOutput});
    visitor.field("sparse", file_.write.sparse, "leave values equal to 0 out of a LETOR file");
    file_.read.visit(visitor);
  }

  std::vector<NamedFile> files_beside() const override { return side_files_of("--out", file_.out); }
  std::string results() const override { return results_markdown<NoiseResult>(); }
  void run(const Context& context, Output& output) override {
    if (data_format(file_.from, file_.read) != DataFormat::kCache) {
      check_kept_rows(file_.from, file_.read, file_.out);
    }
    const Dataset data = load_dataset(file_.from, file_.read, context);
    const NoiseResult result = write_noisy(data, file_, context);
    if (output.json) {
      output.out << json_text(result);
      return;
    }
    fmt::print(output.out, "{}: {} of {} grades flipped\n", result.out, result.num_flipped,
               result.num_rows);
  }

 private:
  NoisyFile file_;
};

}  // namespace

std::unique_ptr<Command> make_data_noise_command() { return std::make_unique<DataNoise>(); }

}  // namespace glassrank::cli
