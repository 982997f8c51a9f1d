#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "glassrank/base/parallel.h"
#include "glassrank/data/known_categories.h"
#include "glassrank/data/match_columns.h"

namespace glassrank {
namespace {

constexpr std::size_t kRowsTaken = 4096;

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

// Whether a feature is one of categories, on either side.
bool is_category(const Schema& data, const WantedFeatures& wanted, std::size_t f,
                 std::uint32_t column) {
  const bool is_wanted = (f < wanted.is_category.size() && wanted.is_category[f] != 0) ||
                         !names_of(wanted.categories, f).empty();
  return is_wanted || (column != ColumnMatch::kAbsent && data.is_category(column));
}

// How the codes of one column become those that are wanted.
struct Recoding {
  std::size_t feature;
  CategoryMap map;
};

// None of features whose codes mean the same on both sides.
std::vector<Recoding> recodings(const Schema& data, const WantedFeatures& wanted,
                                std::span<const std::uint32_t> columns) {
  std::vector<Recoding> all;
  for (std::size_t f = 0; f < columns.size() && f < wanted.num_features; ++f) {
    if (columns[f] == ColumnMatch::kAbsent || !is_category(data, wanted, f, columns[f])) continue;
    const std::span<const std::string> from = data.feature(columns[f]).categories;
    const std::span<const std::string> to = names_of(wanted.categories, f);
    if (std::ranges::equal(from, to) || (from.empty() && are_own_codes(to))) continue;
    all.push_back({.feature = f, .map = CategoryMap(from, to)});
  }
  return all;
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
    if (!is_category(data.schema(), wanted, f, columns[f])) continue;
    const bool is_other = f >= wanted.num_features;
    const auto names = is_other ? std::span(data.schema().feature(columns[f]).categories)
                                : names_of(wanted.categories, f);
    schema.set_category(f, {names.begin(), names.end()});
  }
  if (data.schema().padding()) schema.set_padding(*data.schema().padding());
  return schema;
}

}  // namespace

bool is_as_wanted(const Schema& data, const WantedFeatures& wanted, const ColumnMatch& match) {
  return match.is_in_place() && recodings(data, wanted, match.columns).empty();
}

Dataset take_columns(const Dataset& data, const WantedFeatures& wanted, const ColumnMatch& match,
                     OtherColumns others, const Context& context) {
  std::vector<std::uint32_t> columns = match.columns;
  if (others == OtherColumns::kKeepBehind) {
    const std::vector<std::uint32_t> rest = other_columns(data, match);
    columns.insert(columns.end(), rest.begin(), rest.end());
  }
  const std::size_t width = columns.size();
  const std::vector<Recoding> recoded = recodings(data.schema(), wanted, columns);
  if (width == data.num_features() && match.is_in_place() && recoded.empty()) {
    RowTable table = data.table();
    table.schema = schema_of(data, wanted, columns);
    const bool is_same = std::ranges::equal(table.feature_names(), data.feature_names()) &&
                         table.schema.category_names() == data.schema().category_names();
    return is_same ? data : data.with_table(std::make_shared<const RowTable>(std::move(table)));
  }
  for (const Recoding& recoding : recoded) {
    require_names(data, wanted, recoding.feature, columns[recoding.feature]);
  }
  const auto& padding = data.schema().padding();
  const float absent = padding ? padding->value : 0.0F;
  DatasetParts parts{data.table(), Buffer<float>(data.num_rows() * width)};
  parts.schema = schema_of(data, wanted, columns);
  parallel_for(context, data.num_rows(), kRowsTaken, [&](std::size_t begin, std::size_t end) {
    for (std::size_t r = begin; r < end; ++r) {
      float* const row = parts.features.data() + r * width;
      const std::span<const float> from = data.row(r);
      for (std::size_t f = 0; f < width; ++f) {
        row[f] = columns[f] == ColumnMatch::kAbsent ? absent : from[columns[f]];
      }
      for (const Recoding& recoding : recoded) {
        row[recoding.feature] = recoding.map(row[recoding.feature]);
      }
    }
    data.release_rows(begin, end);
  });
  return Dataset(std::move(parts));
}

WantedFeatures features_of(const Schema& data, std::string who) {
  WantedFeatures wanted{.names = data.feature_names(),
                        .num_features = data.num_features(),
                        .who = std::move(who),
                        .is_sparse = data.padding() && data.padding()->is_sparse,
                        .categories = data.category_names(),
                        .is_category = {}};
  for (std::size_t f = 0; data.has_categories() && f < data.num_features(); ++f) {
    wanted.is_category.push_back(data.is_category(f) ? 1 : 0);
  }
  return wanted;
}

Dataset fit_to(const WantedFeatures& wanted, const Dataset& data, const MatchRules& rules,
               const Context& context) {
  const ColumnMatch match = match_columns(wanted, data.schema(), rules);
  tell(match, context);
  require_known_categories(wanted, data.schema(), match, rules, [](std::uint32_t) { return true; });
  return take_columns(data, wanted, match, OtherColumns::kDrop, context);
}

}  // namespace glassrank
