#pragma once
// The record of a training run (methods/training/run_record.h), read from its file: the quality
// after every round, for models that cannot be cut off after their first trees.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "glassrank/base/result.h"
#include "glassrank/models/model.h"

namespace glassrank {

struct RecordedRun {
  struct Round {
    std::size_t round = 0;  // from 1; with bags every bag has it
    NamedValues metrics;    // "valid ndcg@10"
  };
  NamedTexts settings;  // as in the model's provenance
  std::vector<Round> rounds;
};

// Throws Error{kInput} for what is no such record.
RecordedRun parse_run_record(std::string_view text);
RecordedRun read_run_record(const std::string& path);

// Whether the model's provenance has every setting of the run.
bool is_record_of(const RecordedRun& run, const Model& model);

// The values of one name after every round, the mean over bags where there are some. Rounds that do
// not have it are left out.
struct RecordedSeries {
  std::string name;
  std::vector<std::size_t> rounds;
  std::vector<double> values;
};
// Of every name that ends with the metric; of all names if none does.
std::vector<RecordedSeries> recorded_series(const RecordedRun& run, std::string_view metric);

}  // namespace glassrank
