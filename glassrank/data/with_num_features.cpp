#include "glassrank/data/with_num_features.h"

#include <algorithm>
#include <utility>

namespace glassrank {

Dataset with_num_features(Dataset data, std::size_t num_features) {
  const std::size_t width = data.num_features();
  const auto& padding = data.schema().padding();
  if (num_features <= width || !padding) return data;
  DatasetParts parts{data.table(), Buffer<float>(data.num_rows() * num_features)};
  parts.schema.pad_features(num_features);
  for (std::size_t r = 0; r < data.num_rows(); ++r) {
    float* const row = parts.features.data() + r * num_features;
    std::ranges::copy(data.row(r), row);
    std::fill(row + width, row + num_features, padding->value);
  }
  return Dataset(std::move(parts));
}

}  // namespace glassrank
