#include "glassrank/models/gam/gam_scorer.h"

#include <algorithm>
#include <set>

#include "glassrank/base/parallel.h"
#include "glassrank/models/gam/gam_kernel.h"

namespace glassrank {
namespace {

// Rows of one task: a workspace is made for each.
constexpr std::size_t kTaskRows = 32 * kMaxGamRows;

}  // namespace

struct GamScorer::State {
  explicit State(const Gam& model) : gam(model), plan(make_gam_plan(model)) {}

  void score_task(MatrixView<const float> rows, std::span<double> scores) const {
    if (!plan.fits || !can_look_up()) {
      for (std::size_t r = 0; r < rows.num_rows(); ++r) scores[r] = gam.score(rows.row(r));
      return;
    }
    GamWorkspace workspace(plan);
    for (std::size_t begin = 0; begin < rows.num_rows(); begin += kMaxGamRows) {
      const std::size_t num_rows = std::min(kMaxGamRows, rows.num_rows() - begin);
      score_tables(plan,
                   {.rows = rows.data() + begin * rows.num_columns(),
                    .num_rows = num_rows,
                    .rows_ahead = std::min(kMaxGamRows, rows.num_rows() - begin - num_rows),
                    .stride = rows.num_columns(),
                    .scores = scores.data() + begin},
                   workspace);
    }
  }

  const Gam gam;
  const GamPlan plan;
};

GamScorer::GamScorer(const Gam& gam) : state_(std::make_unique<State>(gam)) {}
GamScorer::~GamScorer() = default;

std::size_t GamScorer::num_features() const { return state_->gam.num_features(); }

std::span<const std::string> GamScorer::feature_names() const {
  return state_->gam.feature_names();
}

std::vector<std::uint32_t> GamScorer::used_features() const {
  std::set<std::uint32_t> used;
  for (const GamEffect& effect : state_->gam.effects()) {
    for (const GamAxis& axis : effect.axes) used.insert(axis.feature);
  }
  return {used.begin(), used.end()};
}

void GamScorer::score_checked(MatrixView<const float> rows, std::span<double> scores,
                              const Context& context) const {
  parallel_for(context, rows.num_rows(), kTaskRows, [&](std::size_t begin, std::size_t end) {
    context.check_stop();
    const MatrixView<const float> task(rows.data() + begin * rows.num_columns(), end - begin,
                                       rows.num_columns());
    state_->score_task(task, scores.subspan(begin, end - begin));
  });
}

}  // namespace glassrank
