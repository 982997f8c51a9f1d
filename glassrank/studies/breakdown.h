#pragma once
// Quality of several models on queries with and without outliers (Marcuzzi, Lucchese, Orlando,
// ICTIR 2022, Table 4).
//
// Q_o are the queries with at least one consistent outlier of the base model, Q_c the others. p is
// Fisher's randomisation test of a model against the first one on the same queries.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/result.h"
#include "glassrank/data/query_groups.h"
#include "glassrank/metrics/paired.h"

namespace glassrank {

struct GroupQuality {
  std::string group;  // "all", "Q_o", "Q_c"
  std::size_t num_queries = 0;
  std::vector<double> means;  // per model; NaN without queries
  std::vector<PValues> p;     // model against the first; all 1 for the first and without queries

  void visit(ResultVisitor& visitor) const;
};

// Whether each query holds one of the rows, which ascend.
std::vector<bool> queries_with(const QueryGroups& queries, std::span<const std::uint32_t> rows);

// `values` are [model][query]; a query counts when no model's value is NaN.
GroupQuality quality_on(const std::string& group, std::span<const std::vector<double>> values,
                        const std::vector<bool>& chosen, std::uint64_t permutations,
                        const Context& context);

}  // namespace glassrank
