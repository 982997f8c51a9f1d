#pragma once
// What files are called where they stand for what is in them: models, runs, data.

#include <span>
#include <string>
#include <vector>

namespace glassrank {

// "results/bm25.run.gz" -> "bm25"; files that share a name keep their path.
std::vector<std::string> names_of_files(std::span<const std::string> paths);

}  // namespace glassrank
