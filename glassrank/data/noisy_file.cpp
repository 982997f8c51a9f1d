#include "glassrank/data/noisy_file.h"

#include <optional>

#include "glassrank/base/atomic_file.h"
#include "glassrank/data/io/kept_rows.h"
#include "glassrank/data/io/svmlight/svmlight_writer.h"

namespace glassrank {

NoiseResult write_noisy(const Dataset& data, const NoisyFile& file, const Context& context) {
  const NoisyDataset noisy = add_grade_noise(data, file.noise, context.seed);
  std::optional<AtomicFile> log;
  if (!file.log.empty()) {
    log.emplace(file.log);
    log->write(flips_tsv(data, noisy.flips));
    log->finish();
  }
  if (is_table_file(file.from, file.read)) {
    write_regraded(file.from, file.read, data, noisy.data.grades(), file.out, context);
  } else {
    write_svmlight(file.out, DatasetView(noisy.data), file.write, context);
  }
  if (log) log->commit();
  return {.out = file.out, .num_rows = data.num_rows(), .num_flipped = noisy.flips.size()};
}

}  // namespace glassrank
