#include "glassrank/objectives/peer.h"

#include <utility>
#include <vector>

#include "glassrank/data/shard.h"

namespace glassrank {

void PeerParams::visit(ParamVisitor& visitor) {
  visitor.field("peer_alpha", alpha,
                "peer: weight of the correction for random grades; 0 is lambdarank", kNotNegative);
}

Peer::Peer(PeerParams params, LambdarankParams lambdarank, std::uint64_t seed)
    : params_(params), lambdarank_(std::move(lambdarank)), seed_(seed) {}

void Peer::prepare(const ObjectiveData& data) {
  lambdarank_.prepare(data);
  grades_ = GradeDistribution(data);
  first_query_ = shard_of(data.queries, data.communicator).first_query;
}

float Peer::drawn_grade(const QueryView& query, std::size_t document) const {
  const CounterRandom random(seed_, "peer", first_query_ + query.query);
  return grades_.draw(random, (static_cast<std::uint64_t>(query.round) << 32) | document);
}

void Peer::gradients(const QueryView& query, ObjectiveScratch& scratch, GradientView out) const {
  lambdarank_.gradients(query, scratch, out);
  if (params_.alpha == 0) return;
  const std::size_t n = query.grades.size();
  std::vector<float> values(3 * n);
  const std::span<float> drawn(values.data(), n);
  for (std::size_t i = 0; i < n; ++i) drawn[i] = drawn_grade(query, i);
  const GradientView peer{.gradient = {values.data() + n, n},
                          .hessian = {values.data() + 2 * n, n}};
  QueryView drawn_query = query;
  drawn_query.grades = drawn;
  lambdarank_.gradients_of_list(drawn_query, scratch, peer);
  const auto alpha = static_cast<float>(params_.alpha);
  for (std::size_t i = 0; i < n; ++i) out.gradient[i] -= alpha * peer.gradient[i];
}

}  // namespace glassrank
