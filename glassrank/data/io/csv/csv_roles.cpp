#include "glassrank/data/io/csv/csv_roles.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <optional>
#include <span>

#include <fmt/ranges.h>

#include "glassrank/base/error.h"
#include "glassrank/base/suggest.h"
#include "glassrank/data/io/text_place.h"

namespace glassrank {
namespace {

struct UsualName {
  std::string_view name;
  bool may_be_feature = false;
};

constexpr std::array<UsualName, 6> kGradeNames = {
    {{"grade"}, {"label"}, {"relevance"}, {"target"}, {"rel", true}, {"y", true}}};
constexpr std::array<UsualName, 8> kQueryNames = {{{"query_id"},
                                                   {"qid"},
                                                   {"queryid"},
                                                   {"query"},
                                                   {"search_id"},
                                                   {"session_id"},
                                                   {"group_id"},
                                                   {"group", true}}};
constexpr std::array<UsualName, 9> kDocumentNames = {{{"document"},
                                                      {"document_id"},
                                                      {"docid"},
                                                      {"doc_id"},
                                                      {"doc"},
                                                      {"item_id"},
                                                      {"product_id"},
                                                      {"id"},
                                                      {"item", true}}};
constexpr std::array<UsualName, 2> kWeightNames = {{{"weight", true}, {"sample_weight"}}};

struct CsvRole {
  ColumnRole role;
  std::string_view plural;
  std::string_view own_name;
  std::string_view parameter;
  std::string_view shown;  // with the option that people know
  std::string ReadParams::* name;
  std::span<const UsualName> usual;
};

constexpr std::array<CsvRole, 4> kRoles = {{
    {ColumnRole::kGrade, "grades", "grade", "grade_column", "grade_column (--label)",
     &ReadParams::grade_column, kGradeNames},
    {ColumnRole::kQuery, "queries", "query", "query_column", "query_column (--qid)",
     &ReadParams::query_column, kQueryNames},
    {ColumnRole::kDocument, "documents", "document", "document_column", "document_column",
     &ReadParams::document_column, kDocumentNames},
    {ColumnRole::kWeight, "weights", "weight", "weight_column", "weight_column",
     &ReadParams::weight_column, kWeightNames},
}};

using Columns = std::vector<SchemaColumn>;

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

std::vector<std::string> names_of(const Columns& columns) {
  std::vector<std::string> names;
  for (const SchemaColumn& column : columns) {
    if (!column.name.empty()) names.push_back(column.name);
  }
  return names;
}

SchemaColumn* find_usual(std::string_view name, Columns& columns) {
  const auto found = std::ranges::find_if(columns, [&](const SchemaColumn& column) {
    return column.role == ColumnRole::kFeature && lower_case(column.name) == name;
  });
  return found == columns.end() ? nullptr : &*found;
}

// At the header, where the table is text.
[[noreturn]] void fail_in(const CsvText& text, const char* header, const std::string& message) {
  if (text.bytes.empty()) fail(ErrorKind::kInput, "{}: {}", text.name, message);
  fail_at(text.name, text.bytes, header, message);
}

[[noreturn]] void fail_not_found(const CsvText& text, const char* header, const CsvRole& role,
                                 const Columns& columns) {
  std::vector<std::string_view> usual;
  for (const UsualName& name : role.usual) usual.push_back(name.name);
  const std::string_view last = usual.back();
  usual.pop_back();
  Columns open;
  std::ranges::copy_if(columns, std::back_inserter(open), [](const SchemaColumn& column) {
    return column.role == ColumnRole::kFeature;
  });
  const auto nearest = nearest_name(role.own_name, names_of(open));
  fail_in(text, header,
          fmt::format("no column of {} in the header: none is named {} or {}; {} names it{}",
                      role.plural, fmt::join(usual, ", "), last, role.shown,
                      nearest ? fmt::format(", is it {}?", quote_text(*nearest)) : ""));
}

SchemaColumn& find_named(const CsvText& text, const char* header, const CsvRole& role,
                         const std::string& name, Columns& columns) {
  SchemaColumn& column = named_column(text, header, name, role.parameter, columns);
  if (column.role != ColumnRole::kFeature) {
    fail(ErrorKind::kUsage, "{}: {} names column '{}', which already has another part", text.name,
         role.parameter, name);
  }
  return column;
}

// Columns with another usual name of the part: they would give the answer away, or there is nothing
// to learn from them. One that is said to hold categories is wanted as a feature.
void leave_others_out(const CsvRole& role, const ReadParams& params, Columns& columns,
                      RolesFound& found) {
  for (SchemaColumn& column : columns) {
    if (column.role != ColumnRole::kFeature || is_named_category(column.name, params)) continue;
    const std::string name = lower_case(column.name);
    const auto usual = std::ranges::find(role.usual, name, &UsualName::name);
    if (usual == role.usual.end() || usual->may_be_feature) continue;
    column.role = ColumnRole::kIgnored;
    found.left_out.push_back(
        fmt::format("{} (another name of {})", quote_text(column.name), role.plural));
  }
}

// Null when the header has none of the usual names.
SchemaColumn* find_part(const CsvRole& role, Columns& columns) {
  for (const UsualName& usual : role.usual) {
    if (SchemaColumn* const column = find_usual(usual.name, columns)) return column;
  }
  return nullptr;
}

bool is_required(const CsvRole& role, const ReadParams& params, bool query_elsewhere) {
  if (role.role == ColumnRole::kGrade) return !params.may_lack_grades;
  return role.role == ColumnRole::kQuery && !query_elsewhere;
}

[[noreturn]] void fail_empty(const CsvText& text, const CsvRole& role) {
  if (role.role == ColumnRole::kGrade) {
    fail(ErrorKind::kUsage, "{}: {} is empty, and this command needs grades: name their column",
         text.name, role.shown);
  }
  fail(ErrorKind::kUsage, "{}: {} is empty; it must name a column", text.name, role.parameter);
}

}  // namespace

bool is_named_category(const std::string& column, const ReadParams& params) {
  return std::ranges::count(params.categorical, column) > 0 ||
         std::ranges::count(params.categorical_if_there, column) > 0;
}

SchemaColumn& named_column(const CsvText& text, const char* header, const std::string& name,
                           std::string_view parameter, std::vector<SchemaColumn>& columns) {
  const auto found = std::ranges::find(columns, name, &SchemaColumn::name);
  if (found != columns.end()) return *found;
  const auto nearest = nearest_name(name, names_of(columns));
  const std::string hint = nearest ? fmt::format("did you mean {}?", quote_text(*nearest))
                                   : fmt::format("set {} to the column to use", parameter);
  fail_in(text, header,
          fmt::format("no column '{}' ({}) in the header; {}", name, parameter, hint));
}

RolesFound assign_roles(const CsvText& text, const char* header, const ReadParams& params,
                        bool query_elsewhere, std::vector<SchemaColumn>& columns) {
  // Named ones first: a usual name may be taken for another part.
  std::array<SchemaColumn*, kRoles.size()> taken{};
  const auto take = [&](std::size_t i, SchemaColumn* column) {
    taken[i] = column;
    if (column != nullptr) column->role = kRoles[i].role;
  };
  for (std::size_t i = 0; i < kRoles.size(); ++i) {
    const CsvRole& role = kRoles[i];
    const std::string& name = params.*role.name;
    if (name.empty() && is_required(role, params, query_elsewhere)) fail_empty(text, role);
    if (!name.empty() && name != kFound) take(i, &find_named(text, header, role, name, columns));
  }
  RolesFound found;
  for (std::size_t i = 0; i < kRoles.size(); ++i) {
    const CsvRole& role = kRoles[i];
    if (params.*role.name == kFound) {
      take(i, find_part(role, columns));
      if (taken[i] == nullptr && is_required(role, params, query_elsewhere)) {
        fail_not_found(text, header, role, columns);
      }
      found.are_ours = found.are_ours && (taken[i] == nullptr || taken[i]->name == role.own_name);
    }
    if (taken[i] == nullptr) continue;
    found.parts.push_back(fmt::format("{} {}", role.plural, quote_text(taken[i]->name)));
    leave_others_out(role, params, columns, found);
  }
  return found;
}

TableRoles table_roles(const std::string& file, std::span<const std::string> names,
                       const ReadParams& params) {
  const CsvText table{.name = file, .bytes = {}};
  Columns columns;
  for (const std::string& name : names) columns.push_back({.name = name});
  for (const std::string& name : params.ignore_columns) {
    named_column(table, nullptr, name, "ignore_columns", columns).role = ColumnRole::kIgnored;
  }
  const RolesFound found = assign_roles(table, nullptr, params, false, columns);
  TableRoles result;
  for (const SchemaColumn& column : columns) result.roles.push_back(column.role);
  const Schema schema(std::move(columns));
  const bool is_plain = found.are_ours && found.left_out.empty() && schema.has(ColumnRole::kGrade);
  if (!is_plain) result.notice = roles_notice(file, schema, found);
  return result;
}

std::string roles_notice(std::string_view file, const Schema& schema, const RolesFound& found) {
  std::vector<std::string> parts;
  if (!schema.has(ColumnRole::kGrade)) parts.emplace_back("no grades");
  parts.insert(parts.end(), found.parts.begin(), found.parts.end());
  const std::size_t num_features = schema.num_features();
  parts.push_back(fmt::format("{} feature{}", num_features, num_features == 1 ? "" : "s"));
  std::string notice = fmt::format("{}: {}", file, fmt::join(parts, ", "));
  if (!found.left_out.empty()) {
    notice += fmt::format("; not read: {}", fmt::join(found.left_out, ", "));
  }
  return notice;
}

}  // namespace glassrank
