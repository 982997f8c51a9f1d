#include "glassrank/models/forest/forest_scorer.h"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "glassrank/base/parallel.h"
#include "glassrank/models/forest/scoring_plan.h"
#include "glassrank/models/forest/sliced_scorer.h"
#include "glassrank/models/forest/tree_walk.h"

namespace glassrank {
namespace {

// Up to this many rows walking is faster than a block of 128 (measured at 9 to 12).
constexpr std::size_t kFewRows = 10;
// A mask of 512 rows is a cache line, the cheapest to fetch per row, until the masks of a block are
// much larger than the second-level cache (1.4 MB of masks with 1.25 MB of cache: still faster).
constexpr std::size_t kMaxMaskBytes = std::size_t{2} << 20;

// Rows per block of a large batch: wide blocks cost less per row while their masks fit the cache.
std::size_t batch_width(const ScoringPlan& plan) {
  return plan.num_conditions * (kMaxSlicedRows / 8) <= kMaxMaskBytes ? kMaxSlicedRows : 256;
}

std::size_t block_width(std::size_t num_rows, std::size_t max_width) {
  std::size_t width = 128;
  while (width < num_rows && width < max_width) width *= 2;
  return width;
}

}  // namespace

struct ForestScorer::State {
  explicit State(const Forest& model)
      : forest(model), plan(make_scoring_plan(model)), width(batch_width(plan)) {}

  std::unique_ptr<SlicedWorkspace> take_workspace() {
    {
      const std::lock_guard lock(mutex);
      if (!workspaces.empty()) {
        auto workspace = std::move(workspaces.back());
        workspaces.pop_back();
        return workspace;
      }
    }
    return std::make_unique<SlicedWorkspace>(plan, width);
  }

  void give_back(std::unique_ptr<SlicedWorkspace> workspace) {
    const std::lock_guard lock(mutex);
    workspaces.push_back(std::move(workspace));
  }

  // At most `width` rows; rows_ahead more follow them in memory.
  void score_block(MatrixView<const float> rows, std::span<double> scores, std::size_t rows_ahead) {
    if (rows.num_rows() <= kFewRows) {
      walk_few_rows(plan, rows, scores);
    } else if (!plan.sliced || !can_slice()) {
      walk_many_rows(plan, rows, scores);
    } else {
      auto workspace = take_workspace();
      score_sliced(plan,
                   {.rows = rows.data(),
                    .num_rows = rows.num_rows(),
                    .rows_ahead = std::min(rows_ahead, width),
                    .stride = rows.num_columns(),
                    .width = block_width(rows.num_rows(), width),
                    .scores = scores.data()},
                   *workspace);
      give_back(std::move(workspace));
    }
  }

  const Forest forest;
  const ScoringPlan plan;
  const std::size_t width;
  std::mutex mutex;
  std::vector<std::unique_ptr<SlicedWorkspace>> workspaces;  // those not in use
};

ForestScorer::ForestScorer(const Forest& forest) : state_(std::make_unique<State>(forest)) {}
ForestScorer::~ForestScorer() = default;

std::size_t ForestScorer::num_features() const { return state_->forest.num_features(); }

std::span<const std::string> ForestScorer::feature_names() const {
  return state_->forest.feature_names();
}

std::vector<std::uint32_t> ForestScorer::used_features() const {
  return features_of(state_->forest.trees());
}

void ForestScorer::score_checked(MatrixView<const float> rows, std::span<double> scores,
                                 const Context& context) const {
  parallel_for(context, rows.num_rows(), state_->width, [&](std::size_t begin, std::size_t end) {
    context.check_stop();
    const MatrixView<const float> block(rows.data() + begin * rows.num_columns(), end - begin,
                                        rows.num_columns());
    state_->score_block(block, scores.subspan(begin, end - begin), rows.num_rows() - end);
  });
}

}  // namespace glassrank
