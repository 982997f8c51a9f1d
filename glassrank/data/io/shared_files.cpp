#include "glassrank/data/io/shared_files.h"

#include <algorithm>
#include <filesystem>
#include <glob.h>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "glassrank/base/agree.h"
#include "glassrank/base/error.h"
#include "glassrank/data/check_shares.h"
#include "glassrank/data/io/block_pool.h"
#include "glassrank/data/io/checksum.h"
#include "glassrank/data/io/matrix_sink.h"
#include "glassrank/data/select_rows.h"

namespace glassrank {
namespace {

std::vector<std::uint32_t> numbers_of(RowRange rows) {
  std::vector<std::uint32_t> numbers(rows.size());
  std::iota(numbers.begin(), numbers.end(), static_cast<std::uint32_t>(rows.begin));
  return numbers;
}

// Hands on what is of some rows; others have a place of their own for what nobody wants.
class RangeSink final : public RowSink {
 public:
  RangeSink(RowSink& sink, RowRange rows, std::size_t width)
      : sink_(sink), rows_(rows), width_(width) {}

  float* begin_block(std::size_t first_row, std::size_t num_rows) override {
    if (is_whole(first_row, num_rows)) {
      return sink_.begin_block(first_row - rows_.begin, num_rows);
    }
    return pool_.take(num_rows * width_);
  }
  void end_block(std::size_t first_row, std::size_t num_rows, float* rows) override {
    if (is_whole(first_row, num_rows)) {
      sink_.end_block(first_row - rows_.begin, num_rows, rows);
      return;
    }
    const std::size_t begin = std::max(first_row, rows_.begin);
    const std::size_t end = std::min(first_row + num_rows, rows_.end);
    if (begin < end) {
      float* own = sink_.begin_block(begin - rows_.begin, end - begin);
      std::copy_n(rows + (begin - first_row) * width_, (end - begin) * width_, own);
      sink_.end_block(begin - rows_.begin, end - begin, own);
    }
    pool_.give_back(rows);
  }
  bool wants(std::size_t row) const override {
    return row >= rows_.begin && row < rows_.end && sink_.wants(row - rows_.begin);
  }

 private:
  bool is_whole(std::size_t first_row, std::size_t num_rows) const {
    return first_row >= rows_.begin && first_row + num_rows <= rows_.end;
  }

  RowSink& sink_;
  RowRange rows_;
  std::size_t width_;
  BlockPool pool_;
};

class RangeSource final : public RowSource {
 public:
  RangeSource(std::unique_ptr<RowSource> source, RowRange rows)
      : source_(std::move(source)),
        rows_(rows),
        table_(std::make_shared<const RowTable>(select_rows(source_->table(), numbers_of(rows)))) {}

  std::shared_ptr<const RowTable> shared_table() const override { return table_; }
  void pass(const Context& context, RowSink& sink) const override {
    RangeSink own(sink, rows_, table_->num_features());
    source_->pass(context, own);
  }

 private:
  std::unique_ptr<RowSource> source_;
  RowRange rows_;
  std::shared_ptr<const RowTable> table_;
};

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
    fail(
        ErrorKind::kInput,
        "{}: feature '{}' has other categories than in {}; texts of several files have no codes in "
        "common: put them in one file",
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

// All tables, one after the other.
class TableJoiner {
 public:
  void add(const RowTable& table, const std::string& path) {
    if (paths_.empty()) {
      joined_.schema = table.schema;
      joined_.has_grades = table.has_grades;
      first_ = table;
    } else {
      check_alike(table, first_, path, paths_.front());
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
  RowTable finish() {
    joined_.queries = QueryGroups(std::move(ids_), sizes_);
    if (has_documents_) joined_.document_ids = documents_.finish();
    return std::move(joined_);
  }

 private:
  RowTable joined_;
  RowTable first_;
  bool has_documents_ = false;
  std::vector<std::string> paths_;
  std::vector<std::string> ids_;
  std::vector<std::size_t> sizes_;
  StringColumnBuilder documents_;
  std::unordered_map<std::string, std::size_t> file_of_;
};

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

void refuse_stream(const std::string& name, const Context& context) {
  if (name != "-" || context.communicator->is_alone()) return;
  fail(ErrorKind::kUsage, "several machines cannot share standard input; give a file");
}

// The rows of each cache, one after the other: codes with the layout of all.
BinnedDataset join_bins(const std::vector<BinnedCache>& caches, RowTable table) {
  const BinnedDataset& first = caches.front().data;
  const CodeLayout layout(first.edges(), table.num_rows());
  const auto codes = std::make_shared<Buffer<std::uint8_t>>(layout.num_bytes());
  std::ranges::fill(codes->span(), std::uint8_t{0});
  std::vector<std::uint64_t> num_missing(first.num_features());
  for (std::size_t f = 0; f < first.num_features(); ++f) {
    std::uint8_t* to = codes->data() + layout.begin(f);
    for (const BinnedCache& cache : caches) {
      const BinColumn column = cache.data.column(f);
      const auto bytes =
          column.is_wide() ? std::as_bytes(column.wide()) : std::as_bytes(column.narrow());
      to = std::ranges::transform(bytes, to, [](std::byte b) {
             return static_cast<std::uint8_t>(b);
           }).out;
      num_missing[f] += cache.data.num_missing(f);
    }
  }
  return BinnedDataset({.table = std::make_shared<const RowTable>(std::move(table)),
                        .edges = first.shared_edges(),
                        .num_missing = std::move(num_missing),
                        .owner = codes,
                        .codes = std::as_const(*codes).span()});
}

BinnedCache open_all_bins(const std::vector<std::string>& paths, const Context& context) {
  std::vector<BinnedCache> caches;
  for (const std::string& path : paths) {
    caches.push_back(open_bins(path, context));
    if (caches.back().data.edges() == caches.front().data.edges()) continue;
    fail(
        ErrorKind::kInput,
        "{} has other cut points than {}; make one cache of all data, which machines share by rows",
        path, paths.front());
  }
  if (caches.size() == 1) return std::move(caches.front());
  TableJoiner joiner;
  for (std::size_t i = 0; i < caches.size(); ++i) joiner.add(caches[i].data.table(), paths[i]);
  return {.data = join_bins(caches, joiner.finish()), .params = caches.front().params};
}

}  // namespace

std::vector<std::string> matching_files(const std::string& name) {
  if (name.find_first_of("*?[") == std::string::npos || std::filesystem::exists(name))
    return {name};
  glob_t found{};
  const int code = ::glob(name.c_str(), GLOB_NOSORT, nullptr, &found);
  std::vector<std::string> files;
  for (std::size_t i = 0; code == 0 && i < found.gl_pathc; ++i)
    files.emplace_back(found.gl_pathv[i]);
  ::globfree(&found);
  if (files.empty()) fail(ErrorKind::kIo, "cannot open '{}': no file has such a name", name);
  std::ranges::sort(files);
  return files;
}

RowRange share_of_rows(const QueryGroups& queries, int rank, int size) {
  const auto begin_of = [&](int machine) {
    const std::size_t wanted =
        queries.num_rows() * static_cast<std::size_t>(machine) / static_cast<std::size_t>(size);
    return *std::ranges::lower_bound(queries.offsets(), wanted);
  };
  return {begin_of(rank), begin_of(rank + 1)};
}

std::unique_ptr<RowSource> rows_within(std::unique_ptr<RowSource> source, RowRange rows) {
  return std::make_unique<RangeSource>(std::move(source), rows);
}

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
  return std::make_unique<JoinedSource>(std::move(sources), paths);
}

std::unique_ptr<RowSource> open_shared(const std::string& name, const ReadParams& params,
                                       const Context& context, Unpack unpack) {
  refuse_stream(name, context);
  std::unique_ptr<RowSource> all =
      agree(context, [&] { return join_sources(matching_files(name), params, context, unpack); });
  const Communicator& machines = *context.communicator;
  if (machines.is_alone()) return all;
  check_copies(all->table(), 0, name, machines);
  const RowRange own = share_of_rows(all->table().queries, machines.rank(), machines.size());
  return rows_within(std::move(all), own);
}

Dataset load_shared(const std::string& name, const ReadParams& params, const Context& context) {
  refuse_stream(name, context);
  if (context.communicator->is_alone() && (name == "-" || matching_files(name).size() == 1)) {
    return load_dataset(name == "-" ? name : matching_files(name).front(), params, context);
  }
  const std::unique_ptr<RowSource> source = open_shared(name, params, context);
  return agree(context, [&] {
    const RowTable& table = source->table();
    auto values = std::make_shared<Buffer<float>>(table.num_rows() * table.num_features());
    MatrixSink sink(values->data(), table.num_features());
    source->pass(context, sink);
    return Dataset(
        source->shared_table(),
        {.owner = values, .features = {values->data(), table.num_rows(), table.num_features()}});
  });
}

BinnedCache open_shared_bins(const std::string& name, const Context& context) {
  BinnedCache all = agree(context, [&] { return open_all_bins(matching_files(name), context); });
  const Communicator& machines = *context.communicator;
  if (machines.is_alone()) return all;
  const std::span<const float> cuts = all.data.edges().all_cuts();
  check_copies(all.data.table(),
               checksum({reinterpret_cast<const char*>(cuts.data()), cuts.size_bytes()}), name,
               machines);
  const RowRange own = share_of_rows(all.data.queries(), machines.rank(), machines.size());
  all.data = select_rows(all.data, numbers_of(own), context);
  return all;
}

}  // namespace glassrank
