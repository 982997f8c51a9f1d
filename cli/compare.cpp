// glassrank compare: which differences between systems are real.

#include "glassrank/metrics/compare.h"

#include <array>

#include "cli/compare_inputs.h"
#include "cli/registry.h"
#include "glassrank/metrics/compare_report.h"

namespace glassrank {
namespace {

enum class Layout { kTable, kLatex };

}  // namespace

template <>
struct EnumNames<Layout> {
  static std::span<const std::pair<std::string_view, Layout>> table() {
    static constexpr std::array<std::pair<std::string_view, Layout>, 2> kTable{{
        {"table", Layout::kTable},
        {"latex", Layout::kLatex},
    }};
    return kTable;
  }
};

namespace cli {
namespace {

class CompareCommand final : public Command {
 public:
  std::string name() const override { return "compare"; }
  std::string summary() const override {
    return "Compare systems query by query: means, intervals, significance, win/tie/loss";
  }
  std::vector<std::string> examples() const override {
    return {"glassrank compare --data test.txt --model a.txt --model b.json --metric ndcg@10",
            "glassrank compare --data test.txt --scores a.txt --scores b.txt --metric ndcg@10,map",
            "glassrank compare --run bm25.run --run neural.run --qrels qrels.txt --test student "
            "--convention trec_eval --layout latex",
            "glassrank compare --per-query a.tsv --per-query b.tsv --baseline a --json"};
  }

  void visit(ParamVisitor& visitor) override {
    inputs_.visit(visitor);
    params_.visit(visitor);
    visitor.field("layout", layout_, "of the printed report");
  }

  std::string results() const override { return results_markdown<Comparison>(); }
  void run(const Context& context, Output& output) override {
    const SystemsToCompare systems = inputs_.load(context);
    Comparison comparison = compare_systems(systems.names, systems.metrics, params_, context);
    comparison.convention = systems.convention;
    if (output.json) {
      output.out << json_text(comparison);
    } else if (layout_ == Layout::kLatex) {
      output.out << comparison_latex(comparison);
    } else {
      output.out << comparison_table(comparison);
    }
  }

 private:
  CompareInputs inputs_;
  CompareParams params_;
  Layout layout_ = Layout::kTable;
};

}  // namespace

std::unique_ptr<Command> make_compare_command() { return std::make_unique<CompareCommand>(); }

}  // namespace cli
}  // namespace glassrank
