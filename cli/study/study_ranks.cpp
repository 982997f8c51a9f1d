// glassrank study ranks: how the documents of a query move from tree to tree.

#include "cli/registry.h"
#include "cli/study/study_output.h"
#include "glassrank/base/error.h"
#include "glassrank/report/studies/rank_study.h"

namespace glassrank::cli {
namespace {

class StudyRanks final : public Command {
 public:
  std::string name() const override { return "study ranks"; }
  std::string summary() const override {
    return "The rank of every document of a query after each tree of a model";
  }
  std::vector<std::string> examples() const override {
    return {"glassrank study ranks --model m.txt --data train.txt --query 1349 --out ranks",
            "glassrank study ranks --model high-low.txt --model selective.txt --data train.txt "
            "--out ranks"};
  }

  void visit(ParamVisitor& visitor) override {
    visitor.field("model", models_, "model file; more than one are shown below each other",
                  {.required = true, .value_name = "FILE", .one_value = true});
    visitor.field("data", data_, "data file", {.required = true, .value_name = "FILE"});
    visitor.field("query", params_.query, "query to follow; the first one if none is named");
    files_.visit(visitor);
    visitor.field("low", params_.low,
                  "documents of the first model that stay in this lowest share of the ranks are "
                  "marked; 0 for none",
                  kShare);
    visitor.field("from", params_.from,
                  "tree from which on they must stay there: before, most documents are tied",
                  Range{.low = 1});
    visitor.field("negative_grade", params_.negative_grade,
                  "documents above this grade are never marked");
    visitor.group("read", read_);
  }

  void run(const Context& context, Output& output) override {
    std::vector<std::string> inputs = models_;
    inputs.push_back(data_);
    files_.check(inputs);
    const StudyInputs loaded = load_study_inputs(models_, data_, read_, context);
    const std::size_t query = query_index(loaded.data);
    params_.query = loaded.data.queries().id(query);
    const RowRange rows = loaded.data.queries().rows(query);
    std::vector<float> grades;
    std::vector<std::string> names;
    for (std::size_t row = rows.begin; row < rows.end; ++row) {
      grades.push_back(loaded.data.grades()[row]);
      names.push_back(loaded.data.document_name(row));
    }
    std::vector<ModelRanks> ranks;
    for (std::size_t m = 0; m < loaded.models.size(); ++m) {
      ranks.push_back(
          {.model = loaded.names[m], .trace = trace_ranks(loaded.forest(m), loaded.data, query)});
    }
    files_.write(rank_study(ranks, grades, names, params_), output);
  }

 private:
  std::size_t query_index(const Dataset& data) const {
    try {
      return query_named(data.queries(), params_.query);
    } catch (Error& error) {
      error.add_context(data_);
      throw;
    }
  }

  std::vector<std::string> models_;
  std::string data_;
  StudyFiles files_;
  RankStudyParams params_;
  ReadParams read_;
};

}  // namespace

std::unique_ptr<Command> make_study_ranks_command() { return std::make_unique<StudyRanks>(); }

}  // namespace glassrank::cli
