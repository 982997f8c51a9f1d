// glassrank dependence: how the score depends on a feature, or on two.

#include "glassrank/explain/global/dependence.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "cli/registry.h"
#include "cli/subject_inputs.h"
#include "glassrank/base/output_file.h"
#include "glassrank/data/feature_index.h"
#include "glassrank/explain/find_document.h"
#include "glassrank/models/display_names.h"
#include "glassrank/report/plots/dependence_plot.h"

namespace glassrank::cli {
namespace {

class DependenceCommand final : public Command {
 public:
  std::string name() const override { return "dependence"; }
  std::string summary() const override {
    return "How the score depends on a feature, or on two: partial dependence, curves of single "
           "documents, accumulated effects";
  }
  std::vector<std::string> examples() const override {
    return {"glassrank dependence --model model.txt --data test.txt --feature bm25_title",
            "glassrank dependence --model model.txt --data test.txt --feature price,is_ebook --out "
            "price",
            "glassrank dependence --model model.txt --data test.txt --feature price --kind ice "
            "--centre query --out price",
            "glassrank dependence --model model.txt --data test.txt --feature price --kind ale "
            "--points 20",
            "glassrank dependence --command ./rank.sh --num-features 46 --data test.txt --feature "
            "21 --points 10"};
  }

  void visit(ParamVisitor& visitor) override {
    inputs_.visit_sources(visitor);
    visitor.field("feature", features_,
                  "feature, by name or number from 1; two features show their joint effect",
                  {.required = true, .value_name = "FEATURE"});
    visitor.field("query", query_, "only the documents of this query", {.value_name = "QUERY"});
    params_.visit(visitor);
    visitor.field("out", out_, "write all numbers to PREFIX.tsv and the picture to PREFIX.svg",
                  {.value_name = "PREFIX"});
    inputs_.visit_reading(visitor);
  }

  std::vector<ParamUse> uses() const override {
    std::vector<ParamUse> uses = inputs_.uses();
    uses.push_back({"documents", "kind", {"ice"}});
    return uses;
  }
  std::string results() const override { return results_markdown<Dependence>(); }
  void run(const Context& context, Output& output) override {
    inputs_.check();
    check_files();
    LoadedSubject loaded = inputs_.load(context);
    if (!query_.empty()) {
      const std::size_t query = find_query(loaded.data, query_);
      loaded.background = select_queries(loaded.data, {&query, 1}).materialise();
    }
    const Subject subject = loaded.subject();
    const std::vector<std::string> names =
        display_names(subject.scorer, subject.background.feature_names());
    std::vector<std::uint32_t> features;
    for (const std::string& feature : features_) {
      features.push_back(static_cast<std::uint32_t>(feature_index(names, feature)));
    }
    const Dependence result = dependence(subject, features, params_, context);
    if (!out_.empty()) write(result);
    if (output.json) {
      output.out << json_text(result);
      return;
    }
    output.out << table_text(dependence_digest(result));
    if (!out_.empty()) output.out << fmt::format("written: {}.tsv, {}.svg\n", out_, out_);
  }

  std::vector<NamedFile> files_beside() const override {
    if (out_.empty()) return {};
    return {{"the table of --out", out_ + ".tsv"}, {"the picture of --out", out_ + ".svg"}};
  }

 private:
  void check_files() const {
    if (out_.empty()) return;
    for (const char* const ending : {".tsv", ".svg"}) {
      refuse_unwritable(out_ + ending);
    }
  }
  // Both or none.
  void write(const Dependence& result) const {
    write_text_files({{{out_ + ".tsv", table_tsv(dependence_table(result))},
                       {out_ + ".svg", draw(result).svg()}}});
  }

  SubjectInputs inputs_{{.data = "data over which the mean is taken", .has_background = false}};
  std::vector<std::string> features_;
  std::string query_;
  DependenceParams params_;
  std::string out_;
};

}  // namespace

std::unique_ptr<Command> make_dependence_command() { return std::make_unique<DependenceCommand>(); }

}  // namespace glassrank::cli
