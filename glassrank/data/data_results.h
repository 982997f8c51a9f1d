#pragma once
// What the commands on data report: files written and how much is in them.

#include <cstddef>
#include <string>
#include <vector>

#include "glassrank/base/result.h"

namespace glassrank {

// Of `data cache`.
struct CacheResult {
  std::string out;
  std::string kind;  // "values", "bins"
  std::size_t num_rows = 0;
  std::size_t num_queries = 0;
  std::size_t num_features = 0;
  std::size_t num_bytes = 0;

  void visit(ResultVisitor& visitor) const;
};

// Of `data split`.
struct SplitPart {
  std::string out;
  std::size_t num_queries = 0;
  std::size_t num_rows = 0;

  void visit(ResultVisitor& visitor) const;
};
struct SplitResult {
  std::vector<SplitPart> parts;

  void visit(ResultVisitor& visitor) const;
};

// Of `data noise`.
struct NoiseResult {
  std::string out;
  std::size_t num_rows = 0;
  std::size_t num_flipped = 0;

  void visit(ResultVisitor& visitor) const;
};

// Of `data synth`.
struct SyntheticResult {
  std::string out;
  std::size_t num_rows = 0;
  std::size_t num_queries = 0;
  std::size_t num_features = 0;
  std::size_t num_main_effects = 0;
  std::size_t num_interactions = 0;
  std::size_t num_flipped = 0;

  void visit(ResultVisitor& visitor) const;
};

// Of `data synth --scenario bookshop`.
struct BookshopResult {
  std::string out;  // a folder
  std::vector<SplitPart> parts;
  std::size_t num_features = 0;
  std::size_t num_mistakes = 0;
  std::string truth;

  void visit(ResultVisitor& visitor) const;
};

}  // namespace glassrank
