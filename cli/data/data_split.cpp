// glassrank data split: cuts a data file by query into parts or folds.

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "cli/file_check.h"
#include "cli/registry.h"
#include "glassrank/data/split_files.h"

namespace glassrank::cli {
namespace {

class DataSplit final : public Command {
 public:
  // Every column is copied as it is; nobody looks at features.
  DataSplit() { files_.read.text_columns = TextColumnUse::kIgnore; }
  std::string name() const override { return "data split"; }
  std::string summary() const override {
    return "Cut a data file by query into train, valid and test, or into folds";
  }
  std::vector<std::string> examples() const override {
    return {"glassrank data split --data all.txt --out parts --fractions 0.6,0.2,0.2",
            "glassrank data split --data all.txt --out folds --folds 5 --seed 1"};
  }

  void visit(ParamVisitor& visitor) override {
    visitor.field("data", files_.from, "data file",
                  ParamStyle{.required = true, .file = FileUse::kInput});
    visitor.field("out", files_.folder,
                  "folder to write train.txt, valid.txt and test.txt to; .csv or .tsv, with every "
                  "column, if the data file is that",
                  ParamStyle{.required = true, .value_name = "FOLDER"});
    params_.visit(visitor);
    visitor.field("sparse", files_.write.sparse, "leave values equal to 0 out of LETOR files");
    files_.read.visit(visitor);
  }

  std::vector<NamedFile> files_beside() const override {
    std::vector<NamedFile> files;
    for (std::string& path : split_paths(params_, files_)) {
      for (NamedFile& beside : side_files_of("a part in --out", path)) {
        files.push_back(std::move(beside));
      }
      files.push_back({"a part in --out", std::move(path)});
    }
    return files;
  }
  std::string results() const override { return results_markdown<SplitResult>(); }
  void run(const Context& context, Output& output) override {
    check_split(params_);
    files_.read.may_lack_grades = true;
    const Dataset data = load_dataset(files_.from, files_.read, context);
    const SplitResult written = write_split(data, params_, files_, context);
    if (output.json) {
      output.out << json_text(written);
      return;
    }
    for (const SplitPart& part : written.parts) {
      fmt::print(output.out, "{:<32}{:>10} queries{:>12} rows\n", part.out, part.num_queries,
                 part.num_rows);
    }
  }

 private:
  SplitFiles files_;
  SplitParams params_;
};

}  // namespace

std::unique_ptr<Command> make_data_split_command() { return std::make_unique<DataSplit>(); }

}  // namespace glassrank::cli
