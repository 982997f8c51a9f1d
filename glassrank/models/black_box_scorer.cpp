// The scorers that know nothing of how a score comes about: a function, or a command.

#include <algorithm>
#include <cmath>
#include <iterator>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/subprocess.h"
#include "glassrank/base/trim.h"
#include "glassrank/models/io/number_text.h"
#include "glassrank/models/scorer.h"

namespace glassrank {
namespace {

// Of the command's output, for each row and once: more is no list of scores but a mistake.
constexpr std::size_t kMaxLine = 1000;
constexpr std::size_t kMaxBytes = std::size_t{1} << 20;

using ScoreBatch =
    std::function<void(MatrixView<const float>, std::span<double>, const Context& context)>;

class BlackBoxScorer final : public Scorer {
 public:
  BlackBoxScorer(std::size_t num_features, std::size_t batch_rows, ScoreBatch score_batch)
      : num_features_(num_features), batch_rows_(batch_rows), score_batch_(std::move(score_batch)) {
    if (batch_rows == 0) fail(ErrorKind::kUsage, "a batch must have at least one row");
  }

  std::size_t num_features() const override { return num_features_; }
  bool takes_turns() const override { return true; }

 private:
  void score_checked(MatrixView<const float> rows, std::span<double> scores,
                     const Context& context) const override {
    const std::lock_guard lock(mutex_);
    std::vector<float> narrow;  // the rows' first features
    for (std::size_t begin = 0; begin < rows.num_rows(); begin += batch_rows_) {
      context.check_stop();
      const std::size_t size = std::min(batch_rows_, rows.num_rows() - begin);
      const float* batch = rows.data() + begin * rows.num_columns();
      if (rows.num_columns() > num_features_) {
        narrow.clear();
        for (std::size_t r = begin; r < begin + size; ++r) {
          const std::span<const float> row = rows.row(r).first(num_features_);
          narrow.insert(narrow.end(), row.begin(), row.end());
        }
        batch = narrow.data();
      }
      try {
        score_batch_({batch, size, num_features_}, scores.subspan(begin, size), context);
      } catch (Error& error) {
        error.add_context(fmt::format("rows {} to {}", begin + 1, begin + size));
        throw;
      }
    }
  }

  std::size_t num_features_;
  std::size_t batch_rows_;
  ScoreBatch score_batch_;
  mutable std::mutex mutex_;
};

std::string rows_text(MatrixView<const float> rows) {
  std::string text;
  for (std::size_t r = 0; r < rows.num_rows(); ++r) {
    for (std::size_t c = 0; c < rows.num_columns(); ++c) {
      if (c > 0) text += '\t';
      // A NaN may have a sign, which says nothing.
      if (std::isnan(rows(r, c))) {
        text += "nan";
      } else {
        fmt::format_to(std::back_inserter(text), "{}", rows(r, c));
      }
    }
    text += '\n';
  }
  return text;
}

void read_scores(std::string_view output, std::span<double> scores) {
  LineReader lines(output);
  std::size_t num_read = 0;
  for (; !lines.at_end(); ++num_read) {
    const std::string_view line = trim_blanks(lines.next());
    if (num_read >= scores.size()) continue;  // to count them
    double& score = scores[num_read];
    if (!parse_number(line, score) || !std::isfinite(score)) {
      fail(ErrorKind::kInput, "line {} of the output is '{}'; a score must be a finite number",
           num_read + 1, line.substr(0, 80));
    }
  }
  if (num_read != scores.size()) {
    fail(ErrorKind::kInput, "{} scores for {} rows; there must be one per row", num_read,
         scores.size());
  }
}

void check_ended_well(const CommandResult& result, const CommandScorerParams& params,
                      std::size_t num_rows) {
  const auto fail_with = [&](std::string what) {
    const std::string line = result.last_error_line();
    throw Error(ErrorKind::kIo, line.empty() ? std::move(what) : fmt::format("{}: {}", what, line));
  };
  switch (result.end) {
    case CommandEnd::kTimeLimit:
      return fail_with(fmt::format("not done within {} seconds", params.seconds));
    case CommandEnd::kOutputLimit:
      return fail_with(
          fmt::format("{} bytes written and no end, for {} rows", result.output.size(), num_rows));
    case CommandEnd::kSignal:
      return fail_with(fmt::format("ended by signal {}", result.code));
    case CommandEnd::kExit:
      if (result.code != 0) fail_with(fmt::format("ended with status {}", result.code));
  }
}

}  // namespace

std::unique_ptr<const Scorer> make_function_scorer(
    std::size_t num_features,
    std::function<void(MatrixView<const float>, std::span<double>)> function,
    std::size_t batch_rows) {
  return std::make_unique<BlackBoxScorer>(
      num_features, batch_rows,
      [function = std::move(function)](MatrixView<const float> rows, std::span<double> scores,
                                       const Context&) {
        function(rows, scores);
        for (std::size_t r = 0; r < scores.size(); ++r) {
          if (std::isfinite(scores[r])) continue;
          fail(ErrorKind::kInput,
               "the function's score of row {} of them is {}, not a finite number", r + 1,
               scores[r]);
        }
      });
}

std::unique_ptr<const Scorer> make_command_scorer(CommandScorerParams params) {
  const std::size_t num_features = params.num_features;
  const std::size_t batch_rows = params.batch_rows;
  return std::make_unique<BlackBoxScorer>(
      num_features, batch_rows,
      [params = std::move(params)](MatrixView<const float> rows, std::span<double> scores,
                                   const Context& context) {
        try {
          const CommandResult result = run_command(
              params.command, rows_text(rows),
              {.seconds = params.seconds, .output_bytes = kMaxBytes + kMaxLine * rows.num_rows()},
              context);
          check_ended_well(result, params, rows.num_rows());
          read_scores(result.output, scores);
        } catch (Error& error) {
          error.add_context(fmt::format("command '{}'", params.command));
          throw;
        }
      });
}

}  // namespace glassrank
