// glassrank data noise: flips grades and logs which.

#include <optional>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "cli/registry.h"
#include "glassrank/base/atomic_file.h"
#include "glassrank/data/data_results.h"
#include "glassrank/data/grade_noise.h"
#include "glassrank/data/io/formats.h"

namespace glassrank::cli {
namespace {

class DataNoise final : public Command {
 public:
  std::string name() const override { return "data noise"; }
  std::string summary() const override { return "Give some documents a wrong grade, on purpose"; }
  std::vector<std::string> examples() const override {
    return {
        "glassrank data noise --data train.txt --out noisy.txt --probability 0.1 --log flips.tsv",
        "glassrank data noise --data train.txt --out noisy.txt --mode lowest-to-highest"};
  }

  void visit(ParamVisitor& visitor) override {
    visitor.field("data", data_, "data file",
                  ParamStyle{.required = true, .file = FileUse::kInput});
    visitor.field("out", out_, "file to write",
                  ParamStyle{.required = true, .file = FileUse::kOutput});
    params_.visit(visitor);
    visitor.field("log", log_, "TSV file that lists every flipped grade",
                  ParamStyle{.file = FileUse::kOutput});
    visitor.field("sparse", write_.sparse, "leave values equal to 0 out of the file");
    read_.visit(visitor);
  }

  std::string results() const override { return results_markdown<NoiseResult>(); }
  void run(const Context& context, Output& output) override {
    const Dataset data = load_dataset(data_, read_, context);
    const NoisyDataset noisy = add_grade_noise(data, params_, context.seed);
    std::optional<AtomicFile> log;
    if (!log_.empty()) {
      log.emplace(log_);
      log->write(flips_tsv(data, noisy.flips));
      log->finish();
    }
    write_svmlight(out_, DatasetView(noisy.data), write_, context);
    if (log) log->commit();
    const NoiseResult result{
        .out = out_, .num_rows = data.num_rows(), .num_flipped = noisy.flips.size()};
    if (output.json) {
      output.out << json_text(result);
      return;
    }
    fmt::print(output.out, "{}: {} of {} grades flipped\n", result.out, result.num_flipped,
               result.num_rows);
  }

 private:
  std::string data_;
  std::string out_;
  std::string log_;
  NoiseParams params_;
  WriteParams write_;
  ReadParams read_;
};

}  // namespace

std::unique_ptr<Command> make_data_noise_command() { return std::make_unique<DataNoise>(); }

}  // namespace glassrank::cli
