// glassrank data split: cuts a data file by query into parts or folds.

#include <filesystem>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "cli/registry.h"
#include "glassrank/base/error.h"
#include "glassrank/base/folders.h"
#include "glassrank/data/data_results.h"
#include "glassrank/data/io/formats.h"
#include "glassrank/data/io/svmlight/svmlight_writer.h"
#include "glassrank/data/split.h"

namespace glassrank::cli {
namespace {

class DataSplit final : public Command {
 public:
  std::string name() const override { return "data split"; }
  std::string summary() const override {
    return "Cut a data file by query into train, valid and test, or into folds";
  }
  std::vector<std::string> examples() const override {
    return {"glassrank data split --data all.txt --out parts --fractions 0.6,0.2,0.2",
            "glassrank data split --data all.txt --out folds --folds 5 --seed 1"};
  }

  void visit(ParamVisitor& visitor) override {
    visitor.field("data", data_, "data file",
                  ParamStyle{.required = true, .file = FileUse::kInput});
    visitor.field("out", out_, "folder to write train.txt, valid.txt, test.txt to",
                  ParamStyle{.required = true, .value_name = "FOLDER"});
    visitor.field("fractions", fractions_,
                  "shares of the queries: two for train and test, three for train, valid and test "
                  "(0.6,0.2,0.2 unless folds are asked for)",
                  kShare);
    visitor.field("folds", folds_,
                  "write Fold1, Fold2, ... instead: part i tests, part i + 1 validates, the rest "
                  "trains",
                  kNotNegative);
    visitor.field("sparse", write_.sparse, "leave values equal to 0 out of the files");
    read_.visit(visitor);
  }

  std::vector<NamedFile> files_beside() const override {
    std::vector<NamedFile> files;
    const auto add = [&](const std::string& folder, const char* name) {
      files.push_back({"a part in --out", part_path(folder, name)});
    };
    for (const char* name : {"train.txt", "valid.txt", "test.txt"}) {
      for (int number = 1; number <= folds_; ++number) add(fold_name(number), name);
      // Two parts leave out the middle one.
      if (folds_ == 0 && (name[0] != 'v' || fractions_.size() != 2)) add("", name);
    }
    return files;
  }
  std::string results() const override { return results_markdown<SplitResult>(); }
  void run(const Context& context, Output& output) override {
    check();
    const Dataset data = load_dataset(data_, read_, context);
    SplitResult written;
    SvmlightFiles files;
    const auto write = [&](const QueryList& queries, const std::string& folder, const char* name) {
      make_folder((std::filesystem::path(out_) / folder).string());
      written.parts.push_back(add_part(files, data, queries, part_path(folder, name), context));
    };
    if (folds_ > 0) {
      int number = 0;
      for (const Fold& fold : fold_queries(data.num_queries(), folds_, context.seed)) {
        const std::string folder = fold_name(++number);
        write(fold.train, folder, "train.txt");
        write(fold.valid, folder, "valid.txt");
        write(fold.test, folder, "test.txt");
      }
    } else {
      const auto parts = split_queries(data.num_queries(), fractions_, context.seed);
      write(parts[0], "", "train.txt");
      if (parts.size() == 3) write(parts[1], "", "valid.txt");
      write(parts.back(), "", "test.txt");
    }
    files.commit();
    report(written, output);
  }

 private:
  void check() {
    if (folds_ > 0 && !fractions_.empty()) {
      fail(ErrorKind::kUsage, "give --fractions or --folds, not both");
    }
    if (folds_ == 0 && fractions_.empty()) fractions_ = {0.6, 0.2, 0.2};
    if (folds_ == 0 && fractions_.size() != 2 && fractions_.size() != 3) {
      fail(ErrorKind::kUsage, "--fractions has {} shares; it takes two or three",
           fractions_.size());
    }
  }

  std::string part_path(const std::string& folder, const char* name) const {
    return (std::filesystem::path(out_) / folder / name).string();
  }
  static std::string fold_name(int number) { return fmt::format("Fold{}", number); }

  SplitPart add_part(SvmlightFiles& files, const Dataset& data, const QueryList& queries,
                     const std::string& file, const Context& context) const {
    const DatasetView part = select_queries(data, queries);
    files.add(file, part, write_, context);
    return {.out = file, .num_queries = queries.size(), .num_rows = part.num_rows()};
  }

  static void report(const SplitResult& written, Output& output) {
    if (output.json) {
      output.out << json_text(written);
      return;
    }
    for (const SplitPart& part : written.parts) {
      fmt::print(output.out, "{:<32}{:>10} queries{:>12} rows\n", part.out, part.num_queries,
                 part.num_rows);
    }
  }

  std::string data_;
  std::string out_;
  std::vector<double> fractions_;
  int folds_ = 0;
  WriteParams write_;
  ReadParams read_;
};

}  // namespace

std::unique_ptr<Command> make_data_split_command() { return std::make_unique<DataSplit>(); }

}  // namespace glassrank::cli
