#include "glassrank/data/io/joined_rows.h"

#include <algorithm>
#include <utility>

#include "glassrank/base/error.h"
#include "glassrank/data/io/merged_categories.h"

namespace glassrank {
namespace {

// The rows of one file among those of all.
class OffsetSink final : public RowSink {
 public:
  OffsetSink(RowSink& sink, std::size_t first_row) : sink_(sink), first_row_(first_row) {}
  float* begin_block(std::size_t first_row, std::size_t num_rows) override {
    return sink_.begin_block(first_row_ + first_row, num_rows);
  }
  void end_block(std::size_t first_row, std::size_t num_rows, float* rows) override {
    sink_.end_block(first_row_ + first_row, num_rows, rows);
  }
  bool wants(std::size_t row) const override { return sink_.wants(first_row_ + row); }

 private:
  RowSink& sink_;
  std::size_t first_row_;
};

[[noreturn]] void fail_not_alike(const std::string& path, const std::string& first,
                                 std::string_view what) {
  fail(ErrorKind::kInput, "{} has {} than {}; files of one data set must be alike", path, what,
       first);
}

void check_alike(const RowTable& table, const RowTable& first, const std::string& path,
                 const std::string& first_path) {
  if (!std::ranges::equal(table.feature_names(), first.feature_names())) {
    fail_not_alike(path, first_path, "other features");
  }
  for (std::size_t f = 0; f < first.num_features(); ++f) {
    const SchemaColumn& a = table.schema.feature(f);
    const SchemaColumn& b = first.schema.feature(f);
    if (a.kind == b.kind && a.categories == b.categories) continue;
    fail(ErrorKind::kInput,
         "{}: feature '{}' has other categories than in {}; a cache that is made with --bins-like "
         "has those of another",
         path, a.name, first_path);
  }
  if (table.weights.empty() != first.weights.empty()) {
    fail(ErrorKind::kInput, "{} has {}, {} has {}", path,
         table.weights.empty() ? "no weights" : "weights", first_path,
         first.weights.empty() ? "none" : "some");
  }
  if (table.has_grades != first.has_grades) {
    fail(ErrorKind::kInput, "of {} and {} only one has grades", path, first_path);
  }
}

}  // namespace

void TableJoiner::add(const RowTable& table, const std::string& path) {
  if (paths_.empty()) {
    joined_.schema = table.schema;
    joined_.has_grades = table.has_grades;
    first_ = &table;
  } else {
    check_alike(table, *first_, path, paths_.front());
  }
  paths_.push_back(path);
  joined_.grades.insert(joined_.grades.end(), table.grades.begin(), table.grades.end());
  joined_.weights.insert(joined_.weights.end(), table.weights.begin(), table.weights.end());
  for (std::size_t q = 0; q < table.queries.num_queries(); ++q) {
    const auto [other, is_new] = file_of_.emplace(table.queries.id(q), paths_.size() - 1);
    if (!is_new) {
      fail(ErrorKind::kInput, "query {} is in {} and in {}; a query must be in one file",
           table.queries.id(q), paths_[other->second], path);
    }
    ids_.push_back(table.queries.id(q));
    sizes_.push_back(table.queries.rows(q).size());
  }
  for (std::size_t row = 0; row < table.num_rows(); ++row) {
    documents_.add(table.document_ids.empty() ? std::string_view() : table.document_ids[row]);
  }
  has_documents_ |= !table.document_ids.empty();
}

RowTable TableJoiner::finish() {
  joined_.queries = QueryGroups(std::move(ids_), sizes_);
  if (has_documents_) joined_.document_ids = documents_.finish();
  return std::move(joined_);
}

namespace {

class JoinedSource final : public RowSource {
 public:
  JoinedSource(std::vector<std::unique_ptr<RowSource>> sources,
               const std::vector<std::string>& paths)
      : sources_(std::move(sources)) {
    TableJoiner joiner;
    for (std::size_t i = 0; i < sources_.size(); ++i) joiner.add(sources_[i]->table(), paths[i]);
    table_ = std::make_shared<const RowTable>(joiner.finish());
  }

  std::shared_ptr<const RowTable> shared_table() const override { return table_; }
  void pass(const Context& context, RowSink& sink) const override {
    std::size_t first_row = 0;
    for (const std::unique_ptr<RowSource>& source : sources_) {
      OffsetSink own(sink, first_row);
      source->pass(context, own);
      first_row += source->table().num_rows();
    }
  }

 private:
  std::vector<std::unique_ptr<RowSource>> sources_;
  std::shared_ptr<const RowTable> table_;
};

}  // namespace

std::unique_ptr<RowSource> join_sources(const std::vector<std::string>& paths,
                                        const ReadParams& params, const Context& context,
                                        Unpack unpack) {
  if (paths.size() == 1) return open_row_source(paths.front(), params, context, unpack);
  std::vector<std::unique_ptr<RowSource>> sources;
  std::size_t width = 0;
  for (const std::string& path : paths) {
    sources.push_back(open_row_source(path, params, context, unpack));
    width = std::max(width, sources.back()->table().num_features());
  }
  // Features that no row of a file names: known only now.
  ReadParams wide = params;
  wide.num_features = static_cast<int>(width);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const RowTable& table = sources[i]->table();
    if (table.num_features() == width || !table.schema.padding()) continue;
    sources[i] = open_row_source(paths[i], wide, context, unpack);
  }
  return std::make_unique<JoinedSource>(with_merged_categories(std::move(sources), context), paths);
}

}  // namespace glassrank
