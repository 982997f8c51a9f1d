#pragma once
// A data file with grades flipped on purpose (grade_noise.h). What `glassrank data noise` does.

#include <string>

#include "glassrank/base/context.h"
#include "glassrank/data/data_results.h"
#include "glassrank/data/dataset.h"
#include "glassrank/data/grade_noise.h"
#include "glassrank/data/io/formats.h"

namespace glassrank {

struct NoisyFile {
  // What the data was read from, and how: of a CSV or TSV file every byte but the grades stays.
  std::string from = {};
  ReadParams read = {};
  std::string out;
  std::string log = {};  // TSV of every flip; empty: none
  NoiseParams noise = {};
  WriteParams write = {};
};

// Both files or none. The seed is the context's.
NoiseResult write_noisy(const Dataset& data, const NoisyFile& file, const Context& context);

}  // namespace glassrank
