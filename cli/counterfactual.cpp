// glassrank counterfactual: the smallest change that lifts a document.

#include "glassrank/explain/counterfactual/counterfactual.h"

#include <optional>

#include <fmt/format.h>

#include "cli/registry.h"
#include "cli/subject_inputs.h"
#include "glassrank/base/error.h"
#include "glassrank/base/table.h"
#include "glassrank/explain/explanation_view.h"
#include "glassrank/explain/find_document.h"

namespace glassrank::cli {
namespace {

Table changes_table(const Counterfactual& result) {
  Table table({{.name = "feature"},
               {.name = "from", .notation = Notation::kShortest},
               {.name = "to", .notation = Notation::kShortest},
               {.name = "spreads", .digits = 3}});
  for (const FeatureChange& change : result.changes) {
    const Cell from = change.from_category ? cell(*change.from_category) : cell(change.from);
    const Cell to = change.to_category ? cell(*change.to_category) : cell(change.to);
    table.add({cell(change.feature), from, to, cell(change.cost)});
  }
  return table;
}

class CounterfactualCommand final : public Command {
 public:
  std::string name() const override { return "counterfactual"; }
  std::string summary() const override {
    return "The smallest change of features that lifts a document above another one or into the "
           "first k";
  }
  std::vector<std::string> examples() const override {
    return {
        "glassrank counterfactual --model model.txt --data test.txt --query 7 --document 3 "
        "--top 3",
        "glassrank counterfactual --model model.txt --data test.txt --query 7 --document 3 "
        "--above 5 --fix price --limit 'pages: 100..500 down'",
        "glassrank counterfactual --model model.txt --data test.txt --query 7 --document 3 "
        "--top 1 --cost count --max-features 2",
        "glassrank counterfactual --command ./rank.sh --num-features 46 --data test.txt --query 7 "
        "--document 3 --top 3"};
  }

  void visit(ParamVisitor& visitor) override {
    inputs_.visit_sources(visitor);
    visitor.field("query", query_, "query of the document",
                  {.required = true, .value_name = "QUERY"});
    visitor.field("document", document_,
                  "document that should rise: its name, its place in the data (3) or its rank "
                  "(rank:3)",
                  {.required = true, .value_name = "DOCUMENT"});
    visitor.field("above", above_, "the document above which it should rank",
                  {.value_name = "DOCUMENT"});
    visitor.field("top", top_, "the document should be among this many first ones",
                  Range{.low = 0, .high = 1e9});
    params_.visit(visitor);
    inputs_.visit_reading(visitor);
  }

  std::vector<ParamUse> uses() const override { return inputs_.uses(); }
  std::string results() const override { return results_markdown<Counterfactual>(); }
  void run(const Context& context, Output& output) override {
    if (above_.empty() == (top_ == 0)) {
      fail(ErrorKind::kUsage, "give --above, a document to pass, or --top, places to get into");
    }
    inputs_.check();
    const LoadedSubject loaded = inputs_.load(context);
    const Dataset& data = loaded.data;
    const std::size_t query = find_query(data, query_);
    const Subject subject = loaded.subject();
    const ExplainedQuery view = view_query(subject, data, query, context);
    const std::vector<std::string> names = document_names(data, query);
    CounterfactualGoal goal{.document = find_document(view, names, document_),
                            .above = std::nullopt,
                            .top = static_cast<std::size_t>(top_)};
    if (!above_.empty()) goal.above = find_document(view, names, above_);
    const Counterfactual result = find_counterfactual(subject, view, names, goal, params_, context);
    if (output.json) {
      output.out << json_text(result);
      return;
    }
    output.out << result.text << '\n';
    if (!result.changes.empty()) output.out << '\n' << table_text(changes_table(result));
  }

 private:
  SubjectInputs inputs_{
      {.data = "data with the query",
       .background = "data that shows which values are usual; by default the data itself"}};
  std::string query_;
  std::string document_;
  std::string above_;
  int top_ = 0;
  CounterfactualParams params_;
};

}  // namespace

std::unique_ptr<Command> make_counterfactual_command() {
  return std::make_unique<CounterfactualCommand>();
}

}  // namespace glassrank::cli
