#pragma once
// The rankings that `evaluate` and `compare` take: models, score files or features on one data
// file, or TREC runs with their judgements; declared, checked and loaded in one place.
//
// A ranking is named by its file without folder and endings, or by its feature; files that would
// share a name keep their whole path. The data are read once, whatever the number of rankings.

#include <cstddef>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/function_ref.h"
#include "glassrank/base/param_uses.h"
#include "glassrank/base/params.h"
#include "glassrank/data/io/formats.h"
#include "glassrank/data/judged_run.h"
#include "glassrank/metrics/evaluate.h"
#include "glassrank/models/io/read_params.h"
#include "glassrank/models/model.h"

namespace glassrank::cli {

class RankingInputs {
 public:
  // Where the rankings come from.
  void visit_sources(ParamVisitor& visitor);
  // How the data file is read.
  void visit_reading(ParamVisitor& visitor) {
    model_read_.visit(visitor);
    read_.visit_matching(visitor);
    read_.visit(visitor);
  }

  // Runs have no data and no model, scores and features have no model.
  std::vector<ParamUse> uses() const;

  std::size_t num_runs() const { return runs_.size(); }
  std::size_t num_on_data() const { return models_.size() + scores_.size() + features_.size(); }
  std::size_t size() const { return num_runs() + num_on_data(); }

  // As trec_eval is told them: judgements, then runs. Throws Error{kUsage} for fewer than two files
  // and when --run or --qrels is given too.
  void set_trec_files(const std::vector<std::string>& files);
  // Throws Error{kUsage} when --data or --qrels is missing or not needed.
  void check() const;

  // Calls use(name, lists) for every ranking: models, scores, features in this order, or runs.
  // Runs without some judged queries, or with others, give a notice.
  using Use = FunctionRef<void(const std::string&, const ListSource&)>;
  void for_each(const JoinOptions& join, const Context& context, Use use) const;

 private:
  void for_each_on_data(const Context& context, Use use) const;
  void for_each_run(const JoinOptions& join, const Context& context, Use use) const;
  Dataset rows_of(const Model& model, const std::string& path, const Dataset& data,
                  const Context& context) const;

  std::string data_;
  std::vector<std::string> models_;
  std::vector<std::string> scores_;
  std::vector<std::string> features_;
  std::vector<std::string> runs_;
  std::string qrels_;
  ModelReadParams model_read_;
  ReadParams read_;
};

}  // namespace glassrank::cli
