#include "glassrank/data/io/shared_files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <glob.h>
#include <numeric>
#include <unistd.h>
#include <utility>

#include "glassrank/base/agree.h"
#include "glassrank/base/alike.h"
#include "glassrank/base/error.h"
#include "glassrank/data/check_shares.h"
#include "glassrank/data/io/block_pool.h"
#include "glassrank/data/io/checksum.h"
#include "glassrank/data/io/joined_bins.h"
#include "glassrank/data/io/joined_rows.h"
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

void refuse_stream(const std::string& name, const Context& context) {
  if (name != "-" || context.communicator->is_alone()) return;
  fail(ErrorKind::kUsage, "several machines cannot share standard input; give a file");
}

constexpr std::array<std::string_view, 4> kKinds = {"standard input", "rows of text",
                                                    "a cache of values", "a cache of bins"};

DataKind kind_of(const std::string& name, const ReadParams& params) {
  if (name == "-") return DataKind::kStream;
  const std::string first = matching_files(name).front();
  if (::access(first.c_str(), R_OK) != 0) fail_errno("open", first);
  if (data_format(first, params) != DataFormat::kCache) return DataKind::kText;
  return is_binned_cache_file(first) ? DataKind::kBins : DataKind::kValues;
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

DataKind shared_kind(const std::string& name, const ReadParams& params, const Context& context) {
  const DataKind kind = agree(context, [&] { return kind_of(name, params); });
  const Setting setting("the training data", kKinds[static_cast<std::size_t>(kind)]);
  require_alike(*context.communicator, std::span(&setting, 1));
  return kind;
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
  const Communicator& machines = *context.communicator;
  JoinedBins all = agree(context, [&] { return JoinedBins(matching_files(name), context); });
  if (all.num_files() == 1 && machines.is_alone()) return all.first();
  const std::span<const float> cuts = all.first().data.edges().all_cuts();
  check_copies(all.table(),
               checksum({reinterpret_cast<const char*>(cuts.data()), cuts.size_bytes()}), name,
               machines);
  const RowRange own = share_of_rows(all.table().queries, machines.rank(), machines.size());
  BinnedParts parts = agree(context, [&] { return all.take(own, context); });
  return {.data = BinnedDataset(counted_together(std::move(parts), context)),
          .params = all.first().params};
}

}  // namespace glassrank
