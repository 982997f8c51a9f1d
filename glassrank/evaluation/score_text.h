#pragma once
// Scores of documents as text.
//
//   plain  a score a line, in the order of the data file
//   trec   a run, best first; documents by number where the data has no ids for them
//   jsonl  {"query": "7", "document": "3", "score": 0.5} a line, in the order of the data
//
// Of several models: plain has a column each, tab-separated, below a line of their names; jsonl has
// {"query": "7", "document": "3", "scores": {"a": 0.5, "b": 0.25}}; a run is of one model.
// Of several models: plain has a column each, tab-separated, below a line of their names; jsonl has
// {"query": "7", "document": "3", "scores": {"a": 0.5, "b": 0.25}}; a run is of one model.

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "glassrank/base/params.h"
#include "glassrank/data/dataset.h"

namespace glassrank {

enum class ScoreFormat { kPlain, kTrec, kJsonl };
template <>
struct EnumNames<ScoreFormat> {
  static std::span<const std::pair<std::string_view, ScoreFormat>> table();
};

// `scores` has one for each row of the data, in its order.
std::string scores_text(const Dataset& data, std::span<const double> scores, ScoreFormat format);

struct NamedScores {
  std::string name;
  std::vector<double> scores;  // as above
};
// Throws Error{kUsage} for trec.
std::string scores_text_of_models(const Dataset& data, std::span<const NamedScores> models,
                                  ScoreFormat format);

}  // namespace glassrank
