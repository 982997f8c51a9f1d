// glassrank compare: which differences between systems are real.

#include "glassrank/metrics/compare.h"

#include <array>

#include "cli/compare_inputs.h"
#include "cli/registry.h"
#include "glassrank/metrics/compare_report.h"

namespace glassrank {
namespace {

enum class Layout { kTable, kLatex, kMarkdown, kCsv };

}  // namespace

template <>
struct EnumNames<Layout> {
  static std::span<const std::pair<std::string_view, Layout>> table() {
    static constexpr std::array<std::pair<std::string_view, Layout>, 4> kTable{{
        {"table", Layout::kTable},
        {"latex", Layout::kLatex},
        {"markdown", Layout::kMarkdown},
        {"csv", Layout::kCsv},
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
            "glassrank compare --data test.txt --model a.txt --model b.txt --name old --name new "
            "--layout markdown",
            "glassrank compare --per-query a.tsv --per-query b.tsv --baseline a --json"};
  }

  void visit(ParamVisitor& visitor) override {
    inputs_.visit(visitor);
    params_.visit(visitor);
    visitor.field("layout", layout_, "layout of the printed report");
    visitor.field("caption", latex_.caption,
                  "caption of the LaTeX table; empty is one that explains its marks");
    visitor.field("latex_label", latex_.label, "label of the LaTeX table");
    visitor.field("verbose", verbose_, "print every choice of the metrics' convention");
  }

  std::vector<ParamUse> uses() const override {
    std::vector<ParamUse> uses = inputs_.uses();
    add_group_uses(uses, "", compare_uses());
    add_uses(uses, {"caption", "latex_label"}, "layout", {"latex"});
    return uses;
  }
  std::string results() const override { return results_markdown<Comparison>(); }
  void run(const Context& context, Output& output) override {
    const SystemsToCompare systems = inputs_.load(context);
    Comparison comparison = compare_systems(systems.names, systems.metrics, params_, context);
    comparison.convention = systems.convention;
    if (!verbose_) comparison.short_convention = systems.short_convention;
    output.out << (output.json ? json_text(comparison) : text_of(comparison));
  }

 private:
  std::string text_of(const Comparison& comparison) const {
    switch (layout_) {
      case Layout::kLatex:
        return comparison_latex(comparison, latex_);
      case Layout::kMarkdown:
        return comparison_markdown(comparison);
      case Layout::kCsv:
        return comparison_csv(comparison);
      case Layout::kTable:
        break;
    }
    return comparison_table(comparison);
  }

  CompareInputs inputs_;
  CompareParams params_;
  Layout layout_ = Layout::kTable;
  LatexParams latex_;
  bool verbose_ = false;
};

}  // namespace

std::unique_ptr<Command> make_compare_command() { return std::make_unique<CompareCommand>(); }

}  // namespace cli
}  // namespace glassrank
