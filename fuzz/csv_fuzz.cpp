// Any bytes as CSV: the reader either throws Error or gives data that fit together, the same
// whatever the chunks. The first byte chooses separator and parameters.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "glassrank/base/error.h"
#include "glassrank/data/io/csv/csv.h"
#include "glassrank/data/io/csv/csv_chunks.h"
#include "glassrank/data/io/csv/csv_rows.h"
#include "glassrank/data/io/csv/csv_separator.h"
#include "glassrank/data/io/text_place.h"

namespace glassrank {
namespace {

void require(bool fact) {
  if (!fact) std::abort();
}

void check(const Dataset& data) {
  require(data.num_rows() > 0 && data.num_queries() > 0);
  for (const float grade : data.grades()) require(std::isfinite(grade) && grade >= 0);
  for (const float weight : data.weights()) require(std::isfinite(weight) && weight >= 0);
  for (std::size_t r = 0; r < data.num_rows(); ++r) {
    for (const float value : data.row(r)) require(!std::isinf(value));
  }
  for (const std::string& id : data.queries().ids()) require(!id.empty());
  if (!data.document_ids().empty()) require(data.document_ids().size() == data.num_rows());
}

// Every record a chunk of its own: same verdict, same features.
void check_small_chunks(std::string_view bytes, char separator, const ReadParams& params,
                        const std::optional<Dataset>& whole, const Context& context) {
  CsvChunks chunks(InputText(bytes, "f"), separator, 1);
  const CsvHeader header = read_csv_header(chunks.head(), params, false);
  chunks.set_body(header.body);
  const CsvRows rows("f", separator, header.columns);
  const std::size_t width = header.columns.schema.num_features();
  std::vector<float> values(chunks.num_rows() * width + 1);
  std::size_t num_rows = 0;
  chunks.run(context, [&](std::size_t, const CsvPiece& piece) {
    const CsvChunk& chunk = piece.chunk;
    require(chunk.first_row + chunk.num_rows <= chunks.num_rows());
    CsvChunkTable table;
    rows.parse(piece, {.features = values.data() + chunk.first_row * width,
                       .row_stride = width,
                       .table = &table});
    const bool has_grades = header.columns.schema.has(ColumnRole::kGrade);
    require(table.grades.size() == (has_grades ? chunk.num_rows : 0));
    num_rows += chunk.num_rows;
  });
  require(num_rows == chunks.num_rows());
  if (!whole) return;
  require(num_rows == whole->num_rows());
  // Grouping moves rows, it does not change them: the order aside, the values are the same.
  std::uint64_t sum_apart = 0;
  std::uint64_t sum_whole = 0;
  for (std::size_t i = 0; i < num_rows * width; ++i) {
    const float apart = values[i];
    const float together = whole->features().data()[i];
    std::uint32_t bits = 0;
    std::memcpy(&bits, &apart, sizeof(bits));
    sum_apart += bits;
    std::memcpy(&bits, &together, sizeof(bits));
    sum_whole += bits;
  }
  require(sum_apart == sum_whole);
}

void fuzz(std::uint8_t choice, std::string_view bytes) {
  constexpr std::string_view kSeparators = ",\t;";
  const bool finds_separator = choice % 4 == 3;
  const char separator =
      finds_separator ? find_separator(skip_byte_order_mark(bytes)) : kSeparators[choice % 4];
  ReadParams params;
  if ((choice & 0x20U) != 0) params.text_columns = TextColumnUse::kIgnore;
  if ((choice & 0x10U) != 0) params.na_values = {"?", "-999"};
  if ((choice & 0x08U) != 0) params.may_lack_grades = true;
  if ((choice & 0x80U) != 0) params.absent = AbsentValue::kMissing;
  if ((choice & 0x40U) != 0) params.document_column = "";
  Context context;
  static const auto one_thread = std::make_shared<const Threads>(1);
  context.threads = one_thread;

  std::optional<Dataset> data;
  std::string verdict;
  try {
    data = parse_csv(bytes, "f", finds_separator ? kAnySeparator : separator, params, context);
    check(*data);
  } catch (const Error& error) {
    verdict = error.what();
  }
  try {
    check_small_chunks(bytes, separator, params, data, context);
    require(data.has_value() || verdict == "f: no rows after the header");
  } catch (const Error& error) {
    require(verdict == error.what());
  }
}

}  // namespace
}  // namespace glassrank

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  glassrank::fuzz(data[0], {reinterpret_cast<const char*>(data + 1), size - 1});
  return 0;
}
