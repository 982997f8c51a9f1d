// glassrank clean: training data without the documents a cleaner takes for mistakes, and the list
// of them with what speaks against each.

#include <optional>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "cli/file_check.h"
#include "cli/registry.h"
#include "cli/terminal.h"
#include "glassrank/base/atomic_file.h"
#include "glassrank/base/error.h"
#include "glassrank/base/output_file.h"
#include "glassrank/base/param_uses.h"
#include "glassrank/data/io/kept_rows.h"
#include "glassrank/methods/registry.h"
#include "glassrank/methods/training/cleaned_method.h"
#include "glassrank/methods/training/train_run.h"
#include "glassrank/report/clean_report.h"

namespace glassrank::cli {
namespace {

class CleanCommand final : public Command {
 public:
  std::string name() const override { return "clean"; }
  std::string summary() const override {
    return "Remove documents that are probably judged wrongly, and say why";
  }
  std::vector<std::string> examples() const override {
    return {
        "glassrank clean --train train.txt --method sour --out cleaned.txt --list outliers.tsv",
        "glassrank clean --train train.txt --valid valid.txt --method last-sour --clean.type neg "
        "--out cleaned.txt",
        "glassrank clean --train train.csv --method isolation-forest --clean.contamination 0.01 "
        "--out cleaned.csv"};
  }

  void visit(ParamVisitor& visitor) override {
    visitor.field("train", files_.train, "training data",
                  {.required = true, .file = FileUse::kInput});
    visitor.field("valid", files_.valid, "validation data, for last-sour and --tune",
                  {.file = FileUse::kInput});
    visitor.field("method", method_,
                  "how the documents are found: sour, p-sour, last-sour or isolation-forest "
                  "(glassrank list cleaners)");
    visitor.field("out", files_.out, "file for the cleaned data, in the format of the input",
                  {.required = true, .file = FileUse::kOutput});
    visitor.field("list", list_, "TSV file for the documents dropped", {.file = FileUse::kOutput});
    visitor.field("odd_features", odd_features_,
                  "number of features to list for each document, those in which it is most unusual "
                  "for its grade",
                  kNotNegative);
    visitor.field("log_every", log_every_,
                  "log every N rounds when standard error is not a terminal; 0 never logs",
                  kNotNegative);
    learner_->visit(visitor);
    visitor.group("clean", clean_);
    files_.read.visit_matching(visitor);
    visitor.group("read", files_.read);
  }

  void read_given(const std::vector<std::string>& names) override { files_.given = names; }
  std::vector<NamedFile> files_beside() const override {
    return side_files_of("--out", files_.out);
  }
  std::string results() const override { return results_markdown<CleanReport>(); }
  void run(const Context& context, Output& output) override {
    check();
    const TrainInputs inputs = load_inputs(files_, *learner_, true, context);
    const Dataset& train = inputs.data.values(context);
    MemoryCheckpoints base;
    const Cleaning cleaning = find(inputs.data, base, context);
    const DroppedDocuments dropped = describe_dropped(
        train, cleaning, files_, base, static_cast<std::size_t>(odd_features_), context);
    write(dropped, context);
    if (output.json) {
      CleanReport report = clean_report(dropped);
      report.out = files_.out;
      if (!list_.empty()) report.list = list_;
      output.out << json_text(report);
      return;
    }
    fmt::print(output.out, "{}\n{}: {} documents left\n", dropped_text(dropped), files_.out,
               train.num_rows() - cleaning.dropped.size());
  }

 private:
  // Before anything is read.
  void check() {
    CleanParams& clean = clean_;
    if (clean.method != CleanMethod::kNone && clean.method != method_) {
      fail(ErrorKind::kUsage, "--method {} and --clean {}: here the cleaner is --method alone",
           name_of(method_), name_of(clean.method));
    }
    clean.method = method_;
    ParamLister lister;
    visit(lister);
    if (clean.method != CleanMethod::kNone && !cleaner_of(method_)->traits().has_stages) {
      refuse_unused(clean_uses(), "clean.", lister.infos, files_.given);
    }
    check_clean_alone(clean, *learner_, !files_.valid.empty());
    if (files_.train == "-" && files_.valid == "-") {
      fail(ErrorKind::kUsage, "standard input (-) can be read only once");
    }
    refuse_unwritable(files_.out);
    if (!list_.empty()) refuse_unwritable(list_);
    check_kept_rows(files_.train, files_.read, files_.out);
  }

  // `base` keeps the base model, if the cleaner has one.
  Cleaning find(const TrainingData& data, MemoryCheckpoints& base, const Context& context) const {
    const std::size_t log_every =
        messages_reach_a_terminal() ? 0 : static_cast<std::size_t>(log_every_);
    const TrainTask task{.data = data, .checkpoints = &base, .log_every = log_every};
    return clean_alone(*learner_, clean_, task, context);
  }

  void write(const DroppedDocuments& dropped, const Context& context) const {
    std::optional<AtomicFile> list;
    if (!list_.empty()) {
      list.emplace(list_);
      list->write(dropped_tsv(dropped));
      list->finish();
    }
    write_kept_rows({.from = files_.train,
                     .read = files_.read,
                     .data = dropped.data,
                     .rows = kept_rows(dropped.cleaning, dropped.data.num_rows())},
                    files_.out, context);
    if (list) list->commit();
  }

  TrainFiles files_;
  std::unique_ptr<Method> learner_ = make_lambdamart({});
  CleanParams clean_;
  int log_every_ = 10;
  CleanMethod method_ = CleanMethod::kSour;
  std::string list_;
  int odd_features_ = 5;
};

}  // namespace

std::unique_ptr<Command> make_clean_command() { return std::make_unique<CleanCommand>(); }

}  // namespace glassrank::cli
