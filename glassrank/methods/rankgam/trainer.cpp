#include "glassrank/methods/rankgam/trainer.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "glassrank/base/parallel.h"
#include "glassrank/methods/rankgam/approx_ndcg.h"

namespace glassrank {
namespace {

constexpr float kFirstSquares = 0.1F;
constexpr float kSmallest = 1e-7F;
constexpr std::size_t kRowsPerChunk = 1024;

}  // namespace

std::unique_ptr<RankgamTrainer::Workspace> RankgamTrainer::Workspaces::take() {
  const std::scoped_lock lock(mutex_);
  if (free_.empty()) return std::make_unique<Workspace>();
  std::unique_ptr<Workspace> workspace = std::move(free_.back());
  free_.pop_back();
  return workspace;
}

void RankgamTrainer::Workspaces::give_back(std::unique_ptr<Workspace> workspace) {
  const std::scoped_lock lock(mutex_);
  free_.push_back(std::move(workspace));
}

RankgamTrainer::RankgamTrainer(const DatasetView& data, const FeatureColumns& columns,
                               RankgamNetwork& network, const RankgamParams& params,
                               std::size_t most_kept)
    : data_(data),
      columns_(columns),
      network_(network),
      params_(params),
      most_kept_(most_kept),
      kept_(network.towers.size()) {
  for (const Tower& tower : network.towers) {
    squares_.emplace_back(tower.parameters().size() + 1, kFirstSquares);
  }
}

double RankgamTrainer::train_epoch(std::size_t epoch, const Context& context) {
  std::vector<std::size_t> order(data_.queries().num_queries());
  std::iota(order.begin(), order.end(), std::size_t{0});
  RandomSequence(CounterRandom(context.seed, "rankgam epoch", epoch)).shuffle(order);
  const auto size = static_cast<std::size_t>(params_.batch_queries);
  double loss = 0;
  std::size_t num_counted = 0;
  for (std::size_t begin = 0; begin < order.size(); begin += size) {
    context.check_stop();
    const std::size_t end = std::min(begin + size, order.size());
    fill_batch(std::span(order).subspan(begin, end - begin));
    const std::uint64_t step = epoch * order.size() + begin;
    const bool keeps = keeps_passes();
    const auto on_features = [&](auto&& work) {
      parallel_for(context, network_.towers.size(), 1, [&](std::size_t f, std::size_t) {
        if (keeps) return work(f, kept_[f]);
        std::unique_ptr<Workspace> workspace = workspaces_.take();
        work(f, *workspace);
        workspaces_.give_back(std::move(workspace));
      });
    };
    on_features([&](std::size_t f, Workspace& workspace) {
      forward(f, step, context.seed, workspace);
      score_feature(f, workspace);
    });
    sum_scores(context);
    std::size_t counted = 0;
    loss += compute_loss(counted, context);
    num_counted += counted;
    if (counted == 0) continue;
    on_features([&](std::size_t f, Workspace& workspace) {
      if (!keeps) forward(f, step, context.seed, workspace);
      move_tower(f, workspace);
    });
  }
  return num_counted > 0 ? loss / static_cast<double>(num_counted) : 0;
}

bool RankgamTrainer::keeps_passes() const {
  // A value, its place, its output and that one's gradient beside the pass.
  const std::size_t row_bytes =
      TowerPass::num_row_bytes(network_.towers.front().shape()) + 4 * sizeof(float);
  return batch_.rows.size() * network_.towers.size() * row_bytes <= most_kept_;
}

void RankgamTrainer::fill_batch(std::span<const std::size_t> queries) {
  batch_.queries.assign(queries.begin(), queries.end());
  batch_.rows.clear();
  batch_.grades.clear();
  batch_.begins = {0};
  for (const std::size_t query : queries) {
    const RowRange rows = data_.queries().rows(query);
    for (std::size_t r = rows.begin; r < rows.end; ++r) {
      batch_.rows.push_back(data_.rows()[r]);
      batch_.grades.push_back(data_.grade(r));
    }
    batch_.begins.push_back(batch_.rows.size());
  }
  batch_.outputs.resize(network_.towers.size() * batch_.rows.size());
  batch_.scores.resize(batch_.rows.size());
  batch_.gradient.resize(batch_.rows.size());
}

void RankgamTrainer::forward(std::size_t feature, std::uint64_t step, std::uint64_t seed,
                             Workspace& workspace) {
  const std::span<const float> column = columns_.column(feature);
  workspace.values.resize(batch_.rows.size());
  workspace.places.resize(batch_.rows.size());
  std::size_t num_values = 0;
  for (std::size_t i = 0; i < batch_.rows.size(); ++i) {
    const float value = column[batch_.rows[i]];
    workspace.values[num_values] = value;
    workspace.places[num_values] = static_cast<std::uint32_t>(i);
    num_values += std::isnan(value) ? 0 : 1;
  }
  workspace.values.resize(num_values);
  workspace.places.resize(num_values);
  workspace.output.resize(num_values);
  if (workspace.values.empty()) return;
  const CounterRandom dropout(seed, "rankgam dropout", step * network_.towers.size() + feature);
  network_.towers[feature].forward(workspace.values, dropout, workspace.pass, workspace.output);
}

void RankgamTrainer::score_feature(std::size_t feature, Workspace& workspace) {
  const std::span<float> outputs =
      std::span(batch_.outputs).subspan(feature * batch_.rows.size(), batch_.rows.size());
  std::ranges::fill(outputs, network_.missing[feature]);
  for (std::size_t i = 0; i < workspace.places.size(); ++i) {
    outputs[workspace.places[i]] = workspace.output[i];
  }
}

void RankgamTrainer::sum_scores(const Context& context) {
  const std::size_t n = batch_.rows.size();
  parallel_for(context, n, kRowsPerChunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      double sum = 0;
      for (std::size_t f = 0; f < network_.towers.size(); ++f) sum += batch_.outputs[f * n + i];
      batch_.scores[i] = static_cast<float>(sum);
    }
  });
}

double RankgamTrainer::compute_loss(std::size_t& num_counted, const Context& context) {
  const std::size_t num_queries = batch_.queries.size();
  std::vector<std::optional<double>> found(num_queries);
  const std::span<const float> weights = data_.base().weights();
  parallel_for(context, num_queries, 1, [&](std::size_t q, std::size_t) {
    const std::size_t begin = batch_.begins[q];
    const std::size_t size = batch_.begins[q + 1] - begin;
    const std::span<float> gradient = std::span(batch_.gradient).subspan(begin, size);
    found[q] = approx_ndcg(std::span(batch_.grades).subspan(begin, size),
                           std::span(batch_.scores).subspan(begin, size), params_.temperature,
                           gradient, params_.watch.gain, context);
    if (weights.empty()) return;
    double weight = 0;  // of the query: the mean of its rows'
    for (std::size_t i = begin; i < begin + size; ++i) weight += weights[batch_.rows[i]];
    for (float& g : gradient) g *= static_cast<float>(weight / static_cast<double>(size));
  });
  double loss = 0;
  for (const std::optional<double>& ndcg : found) {
    if (!ndcg) continue;
    loss -= *ndcg;
    ++num_counted;
  }
  for (float& g : batch_.gradient) {
    g /= static_cast<float>(std::max<std::size_t>(num_counted, 1));
  }
  return loss;
}

void RankgamTrainer::move_tower(std::size_t feature, Workspace& workspace) {
  Tower& tower = network_.towers[feature];
  const std::span<float> parameters = tower.parameters();
  const auto move = [&](float& parameter, float gradient, float& squares) {
    squares += gradient * gradient;
    parameter -=
        static_cast<float>(params_.learning_rate) * gradient / (std::sqrt(squares) + kSmallest);
  };
  workspace.output_gradient.resize(workspace.places.size());
  for (std::size_t i = 0; i < workspace.places.size(); ++i) {
    workspace.output_gradient[i] = batch_.gradient[workspace.places[i]];
  }
  if (workspace.places.size() < batch_.rows.size()) {
    double rest = 0;  // of the rows without a value
    for (const float g : batch_.gradient) rest += g;
    for (const float g : workspace.output_gradient) rest -= g;
    move(network_.missing[feature], static_cast<float>(rest), squares_[feature].back());
  }
  if (workspace.places.empty()) return;
  workspace.gradient.resize(parameters.size());
  tower.backward(workspace.output_gradient, workspace.pass, workspace.gradient);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    move(parameters[i], workspace.gradient[i], squares_[feature][i]);
  }
  tower.remember(workspace.pass.statistics, params_.momentum);
}

}  // namespace glassrank
