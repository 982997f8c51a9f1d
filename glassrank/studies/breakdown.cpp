#include "glassrank/studies/breakdown.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "glassrank/metrics/fisher_randomisation.h"

namespace glassrank {

void GroupQuality::visit(ResultVisitor& visitor) const {
  std::vector<double> two_sided;
  std::vector<double> greater;
  for (const PValues& each : p) {
    two_sided.push_back(each.two_sided);
    greater.push_back(each.greater);
  }
  visitor.field("num_queries", num_queries, "queries of the group");
  visitor.field("means", means, "of the metric, for each model");
  visitor.field("p", two_sided, "of Fisher's test against the first model, two-sided");
  visitor.field("p_greater", greater, "the same, one-sided: better than the first");
}

std::vector<bool> queries_with(const QueryGroups& queries, std::span<const std::uint32_t> rows) {
  std::vector<bool> found(queries.num_queries());
  for (std::size_t q = 0; q < found.size(); ++q) {
    const RowRange range = queries.rows(q);
    const auto first = std::ranges::lower_bound(rows, range.begin);
    found[q] = first != rows.end() && *first < range.end;
  }
  return found;
}

GroupQuality quality_on(const std::string& group, std::span<const std::vector<double>> values,
                        const std::vector<bool>& chosen, std::uint64_t permutations,
                        const Context& context) {
  std::vector<std::vector<double>> kept(values.size());
  for (std::size_t q = 0; q < chosen.size(); ++q) {
    const bool counts = chosen[q] && std::ranges::none_of(values, [&](const auto& of_model) {
                          return std::isnan(of_model[q]);
                        });
    for (std::size_t m = 0; m < values.size() && counts; ++m) kept[m].push_back(values[m][q]);
  }
  GroupQuality quality{.group = group, .num_queries = kept.front().size(), .means = {}, .p = {}};
  for (std::size_t m = 0; m < kept.size(); ++m) {
    const bool is_empty = kept[m].empty();
    quality.means.push_back(is_empty ? std::numeric_limits<double>::quiet_NaN() : mean_of(kept[m]));
    quality.p.push_back(is_empty || m == 0
                            ? PValues{}
                            : fisher_randomisation(kept[m], kept.front(), permutations, context).p);
  }
  return quality;
}

}  // namespace glassrank
