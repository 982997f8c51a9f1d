#pragma once
// Scores of many rows by anything that ranks: the seam between models and all that uses them
// (prediction, evaluation, importance, explanation, a server).
//
//   const auto scorer = make_scorer(model);      // plans once
//   scorer->score(rows, scores, context);        // as often as wanted, from any thread
//
// A scorer stands for a model, a user's function or a command. The last two are black boxes: they
// get the rows in batches, their scores must be finite, and calls take turns.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/matrix_view.h"

namespace glassrank {

struct Model;
class Dataset;

class Scorer {
 public:
  Scorer() = default;
  virtual ~Scorer() = default;
  Scorer(const Scorer&) = delete;
  Scorer& operator=(const Scorer&) = delete;

  virtual std::size_t num_features() const = 0;
  // One per feature; empty: not known.
  virtual std::span<const std::string> feature_names() const { return {}; }
  // The features that a score can depend on, ascending; all of them where nobody can tell.
  virtual std::vector<std::uint32_t> used_features() const;
  // Whether only one thread scores at a time, the others wait. Then few large calls from one thread
  // beat many small ones, and a thread that works for others while it waits must not call.
  virtual bool takes_turns() const { return false; }

  // scores[i] = score of rows.row(i), which may have more features than the scorer looks at. Throws
  // Error{kUsage} when the rows have fewer or the sizes differ.
  void score(MatrixView<const float> rows, std::span<double> scores, const Context& context) const;

 private:
  // What score() has checked.
  virtual void score_checked(MatrixView<const float> rows, std::span<double> scores,
                             const Context& context) const = 0;
};

// Equal to score_row (model.h) to the bit. Shares the model's trees or tables: the model need not
// outlive the scorer.
std::unique_ptr<const Scorer> make_scorer(const Model& model);

// One score per row of the data, in its order.
std::vector<double> score_all(const Scorer& scorer, const Dataset& data, const Context& context);

// Calls `function` with at most `batch_rows` rows of exactly `num_features` values and room for
// their scores. Throws Error{kInput} naming the row whose score is not finite.
std::unique_ptr<const Scorer> make_function_scorer(
    std::size_t num_features,
    std::function<void(MatrixView<const float>, std::span<double>)> function,
    std::size_t batch_rows = std::size_t{1} << 16);

struct CommandScorerParams {
  std::string command;  // for sh -c
  std::size_t num_features = 0;
  std::size_t batch_rows = std::size_t{1} << 16;
  double seconds = 600;  // for one batch; 0: no limit
};

// Starts the command for every batch. It reads a line per row, the values apart by tabs, as short
// as they can be without loss, "nan" for a missing one, and writes a line with a score per row.
// Throws Error{kIo} when the command fails (with its last line of standard error) or is not done in
// time, Error{kInput} when it writes too few or too many scores or one that is not finite.
std::unique_ptr<const Scorer> make_command_scorer(CommandScorerParams params);

}  // namespace glassrank
