#include "glassrank/data/io/cache/cache.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "glassrank/base/error.h"
#include "glassrank/data/io/block_pool.h"

namespace glassrank {
namespace {

// Texts as one blob with offsets, as StringColumn stores them.
StringColumn column_of(std::span<const std::string> texts) {
  StringColumnBuilder builder;
  for (const std::string& text : texts) builder.add(text);
  return builder.finish();
}

void add_texts(CacheContent& content, CacheSection offsets, CacheSection blob,
               const StringColumn& texts) {
  content.add(offsets, texts.offsets());
  content.add(blob, std::span(texts.blob()));
}

// What both kinds hold. The columns are copies that live as long as the content is being written.
struct TableColumns {
  std::vector<std::uint64_t> query_offsets;
  StringColumn query_ids;
  StringColumn feature_names;
  std::vector<std::int64_t> category_counts;  // empty: every feature is a number
  StringColumn category_names;
};

constexpr std::int64_t kNoCategory = -1;

void add_categories(const Schema& schema, TableColumns& columns) {
  if (!schema.has_categories()) return;
  std::vector<std::string> names;
  for (std::size_t f = 0; f < schema.num_features(); ++f) {
    const std::vector<std::string>& own = schema.feature(f).categories;
    const bool is_category = schema.is_category(f);
    columns.category_counts.push_back(is_category ? static_cast<std::int64_t>(own.size())
                                                  : kNoCategory);
    names.insert(names.end(), own.begin(), own.end());
  }
  columns.category_names = column_of(names);
}

TableColumns table_columns(const RowTable& table) {
  const auto offsets = table.queries.offsets();
  TableColumns columns{.query_offsets = {offsets.begin(), offsets.end()},
                       .query_ids = column_of(table.queries.ids()),
                       .feature_names = column_of(table.feature_names()),
                       .category_counts = {},
                       .category_names = {}};
  add_categories(table.schema, columns);
  return columns;
}

CacheContent table_content(CacheKind kind, const RowTable& table, const TableColumns& columns) {
  CacheContent content{.kind = kind,
                       .num_rows = table.num_rows(),
                       .num_features = table.num_features(),
                       .num_queries = table.queries.num_queries(),
                       .sections = {}};
  if (table.has_grades) {
    content.add(CacheSection::kGrades, std::span<const float>(table.grades));
  }
  if (!table.weights.empty()) {
    content.add(CacheSection::kWeights, std::span<const float>(table.weights));
  }
  content.add(CacheSection::kQueryOffsets, std::span<const std::uint64_t>(columns.query_offsets));
  add_texts(content, CacheSection::kQueryIdOffsets, CacheSection::kQueryIds, columns.query_ids);
  add_texts(content, CacheSection::kFeatureNameOffsets, CacheSection::kFeatureNames,
            columns.feature_names);
  if (!columns.category_counts.empty()) {
    content.add(CacheSection::kCategoryCounts,
                std::span<const std::int64_t>(columns.category_counts));
    add_texts(content, CacheSection::kCategoryNameOffsets, CacheSection::kCategoryNames,
              columns.category_names);
  }
  if (!table.document_ids.empty()) {
    add_texts(content, CacheSection::kDocumentIdOffsets, CacheSection::kDocumentIds,
              table.document_ids);
  }
  return content;
}

// Puts blocks of rows where they belong in the section of features.
class CacheSink final : public RowSink {
 public:
  CacheSink(std::size_t num_features, StreamedSection::Put put)
      : num_features_(num_features), put_(put) {}
  float* begin_block(std::size_t /*first_row*/, std::size_t num_rows) override {
    return pool_.take(num_rows * num_features_);
  }
  void end_block(std::size_t first_row, std::size_t num_rows, float* rows) override {
    put_(first_row * num_features_ * sizeof(float),
         {reinterpret_cast<const char*>(rows), num_rows * num_features_ * sizeof(float)});
    pool_.give_back(rows);
  }

 private:
  std::size_t num_features_;
  StreamedSection::Put put_;
  BlockPool pool_;
};

// Offsets from 0 to `last` that never fall.
std::span<const std::uint64_t> offsets_of(const CacheFile& file, CacheSection section,
                                          std::size_t size, std::size_t last) {
  const auto offsets = file.array<std::uint64_t>(section, size + 1);
  if (offsets.front() != 0 || offsets.back() != last || !std::ranges::is_sorted(offsets)) {
    file.fail_damaged(section);
  }
  return offsets;
}

StringColumn texts_of(const CacheFile& file, CacheSection offsets, CacheSection blob,
                      std::size_t size) {
  const auto bytes = file.bytes(blob);
  return {
      offsets_of(file, offsets, size, bytes.size()), {bytes.data(), bytes.size()}, file.owner()};
}

std::vector<std::string> strings_of(const StringColumn& column) {
  std::vector<std::string> strings;
  for (std::size_t i = 0; i < column.size(); ++i) strings.emplace_back(column[i]);
  return strings;
}

QueryGroups queries_of(const CacheFile& file) {
  const auto offsets =
      offsets_of(file, CacheSection::kQueryOffsets, file.num_queries(), file.num_rows());
  std::vector<std::size_t> sizes;
  for (std::size_t q = 0; q < file.num_queries(); ++q) sizes.push_back(offsets[q + 1] - offsets[q]);
  return {strings_of(texts_of(file, CacheSection::kQueryIdOffsets, CacheSection::kQueryIds,
                              file.num_queries())),
          sizes};
}

// One finite number per row; grades and weights have passed a reader that promises it.
std::vector<float> row_values(const CacheFile& file, CacheSection section) {
  const auto values = file.array<float>(section, file.num_rows());
  const bool all_finite = std::ranges::all_of(values, [](float v) { return std::isfinite(v); });
  if (!all_finite) file.fail_damaged(section);
  return {values.begin(), values.end()};
}

void read_categories(const CacheFile& file, Schema& schema) {
  if (!file.has(CacheSection::kCategoryCounts)) return;
  const auto counts = file.array<std::int64_t>(CacheSection::kCategoryCounts, file.num_features());
  std::size_t total = 0;
  const std::size_t most = file.bytes(CacheSection::kCategoryNameOffsets).size();
  for (const std::int64_t count : counts) {
    if (count < kNoCategory || static_cast<std::size_t>(std::max<std::int64_t>(count, 0)) > most) {
      file.fail_damaged(CacheSection::kCategoryCounts);
    }
    total += static_cast<std::size_t>(std::max<std::int64_t>(count, 0));
  }
  std::vector<std::string> names = strings_of(
      texts_of(file, CacheSection::kCategoryNameOffsets, CacheSection::kCategoryNames, total));
  std::size_t at = 0;
  for (std::size_t f = 0; f < counts.size(); ++f) {
    if (counts[f] == kNoCategory) continue;
    const auto size = static_cast<std::size_t>(counts[f]);
    const auto begin = names.begin() + static_cast<std::ptrdiff_t>(at);
    schema.set_category(f, {begin, begin + static_cast<std::ptrdiff_t>(size)});
    at += size;
  }
  try {
    check_categories(schema.category_names(), schema.num_features());
  } catch (const Error&) {
    file.fail_damaged(CacheSection::kCategoryNames);
  }
}

std::shared_ptr<const RowTable> table_of(const CacheFile& file) {
  auto table = std::make_shared<RowTable>();
  table->schema = Schema::of_features(strings_of(texts_of(
      file, CacheSection::kFeatureNameOffsets, CacheSection::kFeatureNames, file.num_features())));
  read_categories(file, table->schema);
  table->has_grades = file.has(CacheSection::kGrades);
  table->grades = table->has_grades ? row_values(file, CacheSection::kGrades)
                                    : std::vector<float>(file.num_rows());
  table->queries = queries_of(file);
  if (file.has(CacheSection::kDocumentIdOffsets)) {
    table->document_ids = texts_of(file, CacheSection::kDocumentIdOffsets,
                                   CacheSection::kDocumentIds, file.num_rows());
  }
  if (file.has(CacheSection::kWeights)) table->weights = row_values(file, CacheSection::kWeights);
  return table;
}

std::shared_ptr<const BinEdges> edges_of(const CacheFile& file) {
  const auto bytes = file.bytes(CacheSection::kCuts);
  const auto cuts = file.array<float>(CacheSection::kCuts, bytes.size() / sizeof(float));
  const auto offsets =
      offsets_of(file, CacheSection::kCutOffsets, file.num_features(), cuts.size());
  try {
    return std::make_shared<const BinEdges>(
        std::vector<std::uint64_t>(offsets.begin(), offsets.end()),
        std::vector<float>(cuts.begin(), cuts.end()));
  } catch (Error& error) {
    error.add_context(file.name());
    throw;
  }
}

// Learners index tables with codes: one beyond its feature's bins must not get that far.
template <typename Code>
bool all_below(std::span<const Code> codes, std::size_t num_bins) {
  Code largest = 0;
  for (const Code code : codes) largest = std::max(largest, code);
  return codes.empty() || largest < num_bins;
}

void check_codes(const CacheFile& file, const BinnedDataset& data, const Context& context) {
  context.threads->run(data.num_features(), [&](std::size_t f) {
    const BinColumn column = data.column(f);
    const std::size_t num_bins = data.num_bins(f);
    const bool fits = column.is_wide() ? all_below(column.wide(), num_bins)
                                       : all_below(column.narrow(), num_bins);
    if (!fits || data.num_missing(f) > data.num_rows()) file.fail_damaged(CacheSection::kCodes);
  });
}

std::optional<BinParams> bin_params_of(const CacheFile& file) {
  if (!file.has(CacheSection::kBinParams)) return std::nullopt;
  const auto values = file.array<std::int64_t>(CacheSection::kBinParams, 3);
  BinParams params{.max_bins = static_cast<int>(values[0]),
                   .sample_rows = values[1],
                   .min_bin_rows = static_cast<int>(values[2])};
  if (file.has(CacheSection::kMaxCategories)) {
    params.max_categories =
        static_cast<int>(file.array<std::int64_t>(CacheSection::kMaxCategories, 1).front());
  }
  return params;
}

// False if the file has less, or is no file: what a look takes out of a pipe is gone for the
// reader.
bool read_begin(const std::string& path, std::span<char> bytes) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  std::ifstream file(path, std::ios::binary);
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return static_cast<bool>(file);
}

}  // namespace

bool is_cache_file(const std::string& path) {
  std::array<char, CacheHeader::kMagic.size()> begin{};
  return read_begin(path, begin) &&
         std::string_view(begin.data(), begin.size()) == CacheHeader::kMagic;
}

bool is_binned_cache_file(const std::string& path) {
  std::array<char, sizeof(CacheHeader)> begin{};
  if (!is_cache_file(path) || !read_begin(path, begin)) return false;
  CacheHeader header;
  std::memcpy(&header, begin.data(), sizeof(header));
  return header.kind == static_cast<std::uint32_t>(CacheKind::kBinned);
}

std::size_t write_cache(const std::string& path, const Dataset& data, const Context& context) {
  const TableColumns columns = table_columns(data.table());
  CacheContent content = table_content(CacheKind::kDataset, data.table(), columns);
  content.add(
      CacheSection::kFeatures,
      std::span<const float>(data.features().data(), data.num_rows() * data.num_features()));
  return write_cache_file(path, content, context);
}

std::size_t write_cache(const std::string& path, const RowSource& source, const Context& context) {
  const RowTable& table = source.table();
  const TableColumns columns = table_columns(table);
  const CacheContent content = table_content(CacheKind::kDataset, table, columns);
  const std::size_t row_bytes = table.num_features() * sizeof(float);
  const auto fill = [&](StreamedSection::Put put) {
    CacheSink sink(table.num_features(), put);
    source.pass(context, sink);
  };
  return write_cache_file(
      path, content,
      {.id = CacheSection::kFeatures, .size = table.num_rows() * row_bytes, .fill = fill}, context);
}

std::size_t write_binned_cache(const std::string& path, const BinnedDataset& data,
                               const BinParams& params, const Context& context) {
  const TableColumns columns = table_columns(data.table());
  const std::array<std::int64_t, 3> made_with = {params.max_bins, params.sample_rows,
                                                 params.min_bin_rows};
  CacheContent content = table_content(CacheKind::kBinned, data.table(), columns);
  content.add(CacheSection::kCutOffsets, data.edges().offsets());
  content.add(CacheSection::kCuts, data.edges().all_cuts());
  content.add(CacheSection::kMissingCounts, data.missing_counts());
  content.add(CacheSection::kBinParams, std::span<const std::int64_t>(made_with));
  const std::int64_t max_categories = params.max_categories;
  if (data.table().schema.has_categories()) {
    content.add(CacheSection::kMaxCategories, std::span<const std::int64_t>(&max_categories, 1));
  }
  content.add(CacheSection::kCodes, data.codes());
  return write_cache_file(path, content, context);
}

Dataset dataset_of(const CacheFile& file) {
  std::size_t num_values = 0;
  if (__builtin_mul_overflow(file.num_rows(), file.num_features(), &num_values)) {
    file.fail_damaged(CacheSection::kFeatures);
  }
  const auto features = file.array<float>(CacheSection::kFeatures, num_values);
  return {table_of(file),
          {.owner = file.owner(),
           .features = {features.data(), file.num_rows(), file.num_features()},
           .mapped = file.mapped()}};
}

BinnedDataset binned_dataset_of(const CacheFile& file, const Context& context) {
  auto table = table_of(file);
  if (!table->has_grades) file.fail_damaged(CacheSection::kGrades);  // bins are for training
  const auto missing = file.array<std::uint64_t>(CacheSection::kMissingCounts, file.num_features());
  const auto codes = file.bytes(CacheSection::kCodes);
  auto edges = edges_of(file);
  std::size_t least = 0;  // a byte a value; rules out layouts whose sizes would overflow
  if (__builtin_mul_overflow(file.num_rows(), file.num_features(), &least) ||
      codes.size() < least || codes.size() != CodeLayout(*edges, file.num_rows()).num_bytes()) {
    file.fail_damaged(CacheSection::kCodes);
  }
  BinnedDataset data(
      {.table = std::move(table),
       .edges = std::move(edges),
       .num_missing = {missing.begin(), missing.end()},
       .owner = file.owner(),
       .codes = {reinterpret_cast<const std::uint8_t*>(codes.data()), codes.size()}});
  check_codes(file, data, context);
  return data;
}

Dataset open_cache(const std::string& path, const Context& context) {
  return dataset_of(CacheFile(path, CacheKind::kDataset, context));
}

BinnedDataset open_binned_cache(const std::string& path, const Context& context) {
  return open_bins(path, context).data;
}

BinnedCache open_bins(const std::string& path, const Context& context) {
  const CacheFile file(path, CacheKind::kBinned, context);
  return {.data = binned_dataset_of(file, context), .params = bin_params_of(file)};
}

void check_bin_params(const BinnedCache& cache, const BinParams& wanted, const std::string& path) {
  if (cache.params) {
    const std::vector<ParamInfo> made = list_params(*cache.params);
    const std::vector<ParamInfo> asked = list_params(wanted);
    for (std::size_t i = 0; i < made.size(); ++i) {
      if (made[i].value == asked[i].value) continue;
      fail(
          ErrorKind::kUsage,
          "{}: the bins were made with {} = {}, and {} is asked for; ask for the same, or make the "
          "cache again",
          path, made[i].name, made[i].value, asked[i].value);
    }
    return;
  }
  for (std::size_t f = 0; f < cache.data.num_features(); ++f) {
    if (cache.data.num_value_bins(f) <= static_cast<std::size_t>(wanted.max_bins)) continue;
    fail(ErrorKind::kUsage, "{}: feature '{}' has {} bins, and max_bins = {} is asked for", path,
         cache.data.feature_names()[f], cache.data.num_value_bins(f), wanted.max_bins);
  }
}

}  // namespace glassrank
