#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "glassrank/base/parallel.h"
#include "glassrank/data/match_columns.h"

namespace glassrank {
namespace {

constexpr std::size_t kRowsPerChunk = 4096;

// Columns of the data that are no wanted feature, in their order.
std::vector<std::uint32_t> other_columns(const Dataset& data, const ColumnMatch& match) {
  std::vector<bool> is_taken(data.num_features());
  for (const std::uint32_t column : match.columns) {
    if (column != ColumnMatch::kAbsent) is_taken[column] = true;
  }
  std::vector<std::uint32_t> others;
  for (std::uint32_t column = 0; column < is_taken.size(); ++column) {
    if (!is_taken[column]) others.push_back(column);
  }
  return others;
}

Schema schema_of(const Dataset& data, const WantedFeatures& wanted,
                 std::span<const std::uint32_t> columns) {
  Schema schema;
  for (const SchemaColumn& column : data.schema().columns()) {
    if (column.role != ColumnRole::kFeature) schema.add(column);
  }
  for (std::size_t f = 0; f < columns.size(); ++f) {
    if (f < wanted.names.size()) {
      schema.add_feature(wanted.names[f]);
    } else {
      schema.add_feature(columns[f] == ColumnMatch::kAbsent ? fmt::format("absent {}", f)
                                                            : data.feature_names()[columns[f]]);
    }
  }
  if (data.schema().padding()) schema.set_padding(*data.schema().padding());
  return schema;
}

}  // namespace

Dataset take_columns(const Dataset& data, const WantedFeatures& wanted, const ColumnMatch& match,
                     OtherColumns others, const Context& context) {
  std::vector<std::uint32_t> columns = match.columns;
  if (others == OtherColumns::kKeepBehind) {
    const std::vector<std::uint32_t> rest = other_columns(data, match);
    columns.insert(columns.end(), rest.begin(), rest.end());
  }
  const std::size_t width = columns.size();
  if (width == data.num_features() && match.is_in_place()) {
    RowTable table = data.table();
    table.schema = schema_of(data, wanted, columns);
    return std::ranges::equal(table.feature_names(), data.feature_names())
               ? data
               : data.with_table(std::make_shared<const RowTable>(std::move(table)));
  }
  const auto& padding = data.schema().padding();
  const float absent = padding ? padding->value : 0.0F;
  DatasetParts parts{data.table(), Buffer<float>(data.num_rows() * width)};
  parts.schema = schema_of(data, wanted, columns);
  parallel_for(context, data.num_rows(), kRowsPerChunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t r = begin; r < end; ++r) {
      float* const row = parts.features.data() + r * width;
      const std::span<const float> from = data.row(r);
      for (std::size_t f = 0; f < width; ++f) {
        row[f] = columns[f] == ColumnMatch::kAbsent ? absent : from[columns[f]];
      }
    }
    data.release_rows(begin, end);
  });
  return Dataset(std::move(parts));
}

WantedFeatures features_of(const Schema& data, std::string who) {
  return {.names = data.feature_names(),
          .num_features = data.num_features(),
          .who = std::move(who),
          .is_sparse = data.padding() && data.padding()->is_sparse};
}

Dataset fit_to(const WantedFeatures& wanted, const Dataset& data, const MatchRules& rules,
               const Context& context) {
  const ColumnMatch match = match_columns(wanted, data.schema(), rules);
  tell(match, context);
  return take_columns(data, wanted, match, OtherColumns::kDrop, context);
}

}  // namespace glassrank
