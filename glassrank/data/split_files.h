#pragma once
// A data file cut by query (split.h) into files of their own: FOLDER/train.txt, valid.txt and
// test.txt, or FOLDER/Fold1/train.txt, ... What `glassrank data split` does.

#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/params.h"
#include "glassrank/data/data_results.h"
#include "glassrank/data/dataset.h"
#include "glassrank/data/io/formats.h"

namespace glassrank {

struct SplitParams {
  std::vector<double> fractions = {};  // two or three; none: 0.6, 0.2, 0.2
  int folds = 0;                       // 0: fractions

  void visit(ParamVisitor& visitor);
};

// Throws Error{kUsage} for both fractions and folds, or another number of fractions.
void check_split(const SplitParams& params);

// Where parts go, and how.
struct SplitFiles {
  std::string folder;
  // What the data was read from, and how: records of a CSV or TSV file are copied, with every
  // column; else rows are written as LETOR text.
  std::string from = {};
  ReadParams read = {};
  WriteParams write = {};
};

// The files that write_split writes, in that order.
std::vector<std::string> split_paths(const SplitParams& params, const SplitFiles& files);

// Writes all files or none; makes the folders. Throws what check_split, split_queries and
// fold_queries throw, Error{kIo} if a file cannot be written. Queries are shuffled with
// context.seed.
SplitResult write_split(const Dataset& data, const SplitParams& params, const SplitFiles& files,
                        const Context& context);

}  // namespace glassrank
