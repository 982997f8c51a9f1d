#pragma once
// What `glassrank clean` says of the documents it removed, for people, programs and a TSV file.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "glassrank/base/json.h"
#include "glassrank/data/dataset.h"
#include "glassrank/methods/cleaners/cleaner.h"
#include "glassrank/methods/cleaners/oddness.h"

namespace glassrank::cli {

// Documents removed, in the order of rows, and what speaks against each.
struct RemovedDocuments {
  const Dataset& data;
  const Cleaning& cleaning;
  std::vector<OddRow> odd = {};                        // one per document
  std::vector<std::size_t> lines = {};                 // of the file, from 1; one per document
  std::vector<std::size_t> rounds = {};                // of the base model; none without one
  std::vector<std::vector<std::uint32_t>> ranks = {};  // per document and round, from 0
};

// One line a document, with a header: query, document, line, grade, the grade it looks like,
// evidence, a rank (from 1) for each round, the odd features.
std::string removed_tsv(const RemovedDocuments& removed);
// By grade, by query, and the most convincing documents: the largest evidence, of equal ones those
// that are so much closer to another grade's typical values.
std::string removed_text(const RemovedDocuments& removed);
Json removed_json(const RemovedDocuments& removed);

}  // namespace glassrank::cli
