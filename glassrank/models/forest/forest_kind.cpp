// What a forest says of itself as a kind of model (kind.h).

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "glassrank/base/json.h"
#include "glassrank/models/forest/forest.h"
#include "glassrank/models/forest/forest_bags.h"
#include "glassrank/models/forest/forest_summary.h"
#include "glassrank/models/forest/tree_json.h"
#include "glassrank/models/forest/tree_text.h"
#include "glassrank/models/kind_report.h"

namespace glassrank {
namespace {

constexpr std::size_t kMaxNamed = 20;  // unused features in a line

std::string listed(std::span<const std::string> names) {
  const auto shown = names.first(std::min(names.size(), kMaxNamed));
  const std::size_t more = names.size() - shown.size();
  return fmt::format("{}{}", fmt::join(shown, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

class ForestReport final : public KindReport {
 public:
  ForestReport(const Forest& forest, const ReportRequest& request)
      : forest_(forest), summary_(summarise(forest)) {
    for (const std::uint32_t f : summary_.unused) unused_.push_back(request.names[f]);
    for (const std::size_t tree : request.trees) {
      text_ += '\n' + tree_text(forest, tree, request.names);
      trees_.push_back(tree_json(forest, tree, request.names));
    }
  }

  std::string objective() const override { return forest_.objective(); }
  void visit_facts(ResultVisitor& visitor) const override {
    visitor.field("num_trees", summary_.num_trees, "trees");
    visitor.field("num_leaves", summary_.num_leaves, "leaves of all trees");
    visitor.field("most_leaves", summary_.most_leaves, "leaves of the largest tree");
    visitor.field("depth", summary_.depth, "decisions on the longest way to a leaf");
    visitor.field("mean_leaf_depth", summary_.mean_leaf_depth, "decisions, mean over leaves");
    visitor.field("num_features", forest_.num_features(), "features");
    visitor.field("num_used", summary_.used.size(), "features that some node asks for");
    visitor.field("base_score", forest_.base_score(), "what every score begins with");
    visitor.field("has_gains", summary_.has_gains, "whether the file holds the gains of splits");
    visitor.field("has_counts", summary_.has_counts, "whether it holds counts of documents");
    visitor.field("unused", unused_, "features that no node asks for");
  }
  void visit_parts(ResultVisitor& visitor) const override {
    visitor.json("trees", trees_.empty() ? nullptr : &trees_,
                 "with --trees: nodes and leaves of each (glassrank/models/forest/tree_json.h)");
  }
  NamedTexts lines() const override {
    NamedTexts lines = {{"trees", fmt::format("{}", summary_.num_trees)},
                        {"leaves", fmt::format("{}, {} in the largest tree", summary_.num_leaves,
                                               summary_.most_leaves)},
                        {"depth", fmt::format("{} at most, {:.1f} in the mean over leaves",
                                              summary_.depth, summary_.mean_leaf_depth)},
                        {"features", fmt::format("{}, {} of them used", forest_.num_features(),
                                                 summary_.used.size())}};
    if (!unused_.empty()) lines.emplace_back("unused", listed(unused_));
    lines.emplace_back("base score", fmt::format("{}", forest_.base_score()));
    if (!summary_.has_gains) {
      lines.emplace_back("gains", "not in the file: there is no importance by gain");
    }
    if (!summary_.has_counts) lines.emplace_back("counts", "of documents are not in the file");
    return lines;
  }
  std::string parts_text() const override { return text_; }

 private:
  Forest forest_;
  ForestSummary summary_;
  std::vector<std::string> unused_;
  Json trees_ = Json::array();
  std::string text_;
};

}  // namespace

Forest mean_of(std::span<const Forest> bags) { return mean_forest(bags); }

std::unique_ptr<KindReport> report_of(const Forest& forest, const ReportRequest& request,
                                      const Context& /*context*/) {
  return std::make_unique<ForestReport>(forest, request);
}

}  // namespace glassrank
