#pragma once
// Which column of a table (CSV, Parquet) is the grade, the query, the document and the weight.
//
// ReadParams names them, or by itself (kFound) the first of the usual names that the header has, in
// any case:
//   grade      grade, label, relevance, target, rel, y
//   query      query_id, qid, queryid, query, search_id, session_id, group_id, group
//   document   document, document_id, docid, doc_id, doc, item_id, product_id, id, item
//   weight     weight, sample_weight
// Another column with one of a part's names is left out, whoever chose the column of the part: a
// second label gives the answer away, and a second number of the query is nothing to learn from. y,
// rel, group, item and weight may mean something else and stay features, and so does a column that
// ReadParams names as categorical.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "glassrank/data/io/csv/csv_columns.h"
#include "glassrank/data/io/formats.h"
#include "glassrank/data/schema.h"

namespace glassrank {

struct RolesFound {
  std::vector<std::string> parts;     // "grades 'label'"
  std::vector<std::string> left_out;  // "'target' (another name of grades)"
  bool are_ours = true;               // the names are ours, or given
};

// Sets the roles of columns that have none (kFeature). A text without bytes stands for a table that
// is no text: messages then name no place. `header` points to the header in the text.
// Throws Error{kInput} when a column that must be there is not.
RolesFound assign_roles(const CsvText& text, const char* header, const ReadParams& params,
                        bool query_elsewhere, std::vector<SchemaColumn>& columns);

// Whether ReadParams says by name that the column holds categories.
bool is_named_category(const std::string& column, const ReadParams& params);

// The column of this name; throws Error{kInput} with the nearest. `parameter` asked for it.
SchemaColumn& named_column(const CsvText& text, const char* header, const std::string& name,
                           std::string_view parameter, std::vector<SchemaColumn>& columns);

// The same for a table whose columns have these names and lie elsewhere: the role of each, and what
// was taken for what, in a line; no line if all of it is as it is named.
struct TableRoles {
  std::vector<ColumnRole> roles;
  std::string notice;
};
TableRoles table_roles(const std::string& file, std::span<const std::string> names,
                       const ReadParams& params);

// "F: grades 'label', queries 'qid', 3 features; not read: 'rel' (another name of grades)".
std::string roles_notice(std::string_view file, const Schema& schema, const RolesFound& found);

}  // namespace glassrank
