#include "glassrank/report/server/server_counts.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace glassrank {

void ServerCounts::count(std::string_view route, int status, double seconds) {
  const std::lock_guard lock(mutex_);
  ++requests_[{std::string(route), status}];
  auto found = times_.find(route);
  if (found == times_.end()) found = times_.emplace(std::string(route), Times{}).first;
  Times& times = found->second;
  const auto bound = std::ranges::lower_bound(kBounds, seconds);
  ++times.counts[static_cast<std::size_t>(bound - kBounds.begin())];
  times.sum += seconds;
  ++times.num;
}

void ServerCounts::add_documents(std::size_t count) {
  const std::lock_guard lock(mutex_);
  num_documents_ += count;
}

void ServerCounts::set_clients(std::size_t connected, std::uint64_t refused) {
  const std::lock_guard lock(mutex_);
  connected_ = connected;
  refused_ = refused;
}

std::string ServerCounts::text() const {
  const std::lock_guard lock(mutex_);
  std::string text;
  const auto to = std::back_inserter(text);
  const auto head = [&](std::string_view name, std::string_view type, std::string_view help) {
    fmt::format_to(to, "# HELP glassrank_{0} {2}\n# TYPE glassrank_{0} {1}\n", name, type, help);
  };
  head("requests_total", "counter", "Requests answered.");
  for (const auto& [key, count] : requests_) {
    fmt::format_to(to, "glassrank_requests_total{{route=\"{}\",status=\"{}\"}} {}\n", key.first,
                   key.second, count);
  }
  head("request_seconds", "histogram", "Time from a whole request to its whole answer.");
  for (const auto& [route, times] : times_) {
    std::uint64_t below = 0;
    for (std::size_t b = 0; b < kBounds.size(); ++b) {
      below += times.counts[b];
      fmt::format_to(to, "glassrank_request_seconds_bucket{{route=\"{}\",le=\"{}\"}} {}\n", route,
                     kBounds[b], below);
    }
    fmt::format_to(to, "glassrank_request_seconds_bucket{{route=\"{}\",le=\"+Inf\"}} {}\n", route,
                   times.num);
    fmt::format_to(to, "glassrank_request_seconds_sum{{route=\"{}\"}} {}\n", route, times.sum);
    fmt::format_to(to, "glassrank_request_seconds_count{{route=\"{}\"}} {}\n", route, times.num);
  }
  head("documents_scored_total", "counter", "Documents scored for POST /v1/score.");
  fmt::format_to(to, "glassrank_documents_scored_total {}\n", num_documents_);
  head("clients", "gauge", "Clients that are connected.");
  fmt::format_to(to, "glassrank_clients {}\n", connected_);
  head("clients_refused_total", "counter", "Clients turned away because there were too many.");
  fmt::format_to(to, "glassrank_clients_refused_total {}\n", refused_);
  return text;
}

}  // namespace glassrank
