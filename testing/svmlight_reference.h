#pragma once
// SVMlight text read the plain way: one line after the other through parse_svmlight_line(), rows
// grouped with a map. It says what the fast reader must give, for tests and the fuzzer.

#include <string>
#include <string_view>

#include "glassrank/data/dataset.h"
#include "glassrank/data/io/formats.h"

namespace glassrank {

// Like parse_svmlight(): the same data, the same errors. Cost: everything twice in memory.
Dataset parse_svmlight_plainly(std::string_view text, const std::string& name,
                               const ReadParams& params);

}  // namespace glassrank
