#pragma once
// What a server has done, for GET /metrics: the text format of Prometheus, version 0.0.4.

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace glassrank {

class ServerCounts {
 public:
  // `route` is one of the API's paths, or "other": what clients make up never becomes a label.
  void count(std::string_view route, int status, double seconds);
  void add_documents(std::size_t count);
  // Of clients that were connected, and turned away.
  void set_clients(std::size_t connected, std::uint64_t refused);

  std::string text() const;

 private:
  static constexpr std::array<double, 12> kBounds = {0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005,
                                                     0.01,   0.025,   0.1,    0.5,   2,      10};
  struct Times {
    std::array<std::uint64_t, kBounds.size() + 1> counts = {};
    double sum = 0;
    std::uint64_t num = 0;
  };
  mutable std::mutex mutex_;
  std::map<std::pair<std::string, int>, std::uint64_t> requests_;  // by route and status
  std::map<std::string, Times, std::less<>> times_;                // by route
  std::uint64_t num_documents_ = 0;
  std::size_t connected_ = 0;
  std::uint64_t refused_ = 0;
};

}  // namespace glassrank
