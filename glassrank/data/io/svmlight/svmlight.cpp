#include "glassrank/data/io/svmlight/svmlight.h"

#include <new>

#include "glassrank/base/error.h"
#include "glassrank/data/io/matrix_sink.h"
#include "glassrank/data/io/side_files.h"
#include "glassrank/data/io/svmlight/svmlight_source.h"

namespace glassrank {
namespace {

Buffer<float> allocate_matrix(const std::string& name, std::size_t num_rows,
                              std::size_t num_features) {
  try {
    return Buffer<float>(num_rows * num_features);
  } catch (const std::bad_alloc&) {
    fail(ErrorKind::kIo, "{}: no memory for {} rows of {} features ({:.1f} GB)", name, num_rows,
         num_features, static_cast<double>(num_rows * num_features * sizeof(float)) / 1e9);
  }
}

Dataset read_all(const SvmlightSource& source, const Context& context) {
  const RowTable& table = source.table();
  const auto matrix = std::make_shared<Buffer<float>>(
      allocate_matrix(source.name(), table.num_rows(), table.num_features()));
  MatrixSink sink(matrix->data(), table.num_features());
  source.pass(context, sink);
  const MatrixView<const float> features(matrix->data(), table.num_rows(), table.num_features());
  return {source.shared_table(), {.owner = matrix, .features = features}};
}

}  // namespace

Dataset read_svmlight(const std::string& path, const ReadParams& params, const Context& context) {
  return read_all(SvmlightSource(TextChunks(InputText(path, context), kSvmlightChunk),
                                 SideFiles{path}, params, context),
                  context);
}

Dataset parse_svmlight(std::string_view text, std::string name, const ReadParams& params,
                       const Context& context, std::size_t chunk_size) {
  return read_all(SvmlightSource(TextChunks(InputText(text, std::move(name)), chunk_size),
                                 SideFiles{}, params, context),
                  context);
}

std::unique_ptr<RowSource> open_svmlight(const InputText& input, const ReadParams& params,
                                         const Context& context) {
  return std::make_unique<SvmlightSource>(TextChunks(input, kSvmlightChunk),
                                          SideFiles{input.name()}, params, context);
}

}  // namespace glassrank
