#pragma once
// Everything the server says, from a request to its answer: the routes over the typed API, the
// token, the page, counts, /openapi.json, and errors as JSON. Knows nothing of sockets.
//
//   GET /             the report's page, live        POST /v1/score           scores and ranks
//   GET /health       whether it answers             POST /v1/explain         a document, an order
//   GET /metrics      counts, for Prometheus         POST /v1/pair            why A is above B
//   GET /openapi.json what can be asked              POST /v1/counterfactual  what would lift it
//   GET /v1/model     what the model is
//
// The routes are one table (service.cpp), from which the description is made. Nothing a client
// sends is ever taken for a file.

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "glassrank/report/server/api.h"
#include "glassrank/report/server/deadlines.h"
#include "glassrank/report/server/http.h"
#include "glassrank/report/server/server_counts.h"
#include "glassrank/report/server/turns.h"

namespace glassrank {

struct ServiceParams {
  std::string token;  // empty: none is asked for
  double seconds = 30;
  // Names that the server is called by; empty: any. Against pages of others that reach it under a
  // name of theirs.
  std::vector<std::string> hosts;
};

class Service {
 public:
  Service(const Api& api, ServiceParams params, const Context& context);

  // Never throws, but for memory; from any thread.
  HttpAnswer answer(const HttpRequest& request);

  // The page, when it is there; until then GET / says that it is being made.
  void set_page(std::string html);
  void set_page_error(std::string message);
  void expect_page();

  // Ends requests that are being worked on.
  void stop() { deadlines_.stop_all(); }
  ServerCounts& counts() { return counts_; }

 private:
  struct Route;
  friend struct ServiceRoutes;
  static std::span<const Route> routes();

  HttpAnswer dispatch(const HttpRequest& request, std::string& route_name);
  HttpAnswer post(const Route& route, const HttpRequest& request);
  HttpAnswer page();
  HttpAnswer health();
  std::string open_api() const;
  bool has_token(const HttpRequest& request) const;
  bool is_called_right(const HttpRequest& request) const;

  const Api& api_;
  ServiceParams params_;
  Context context_;  // of single requests: one thread each
  Deadlines deadlines_;
  ServerCounts counts_;
  Turns scoring_;
  Turns explaining_;
  std::mutex page_mutex_;  // guards what follows
  std::shared_ptr<const std::string> page_;
  std::string page_state_ = "none";
};

// Whether the texts are equal, in a time that does not tell where they differ.
bool is_same_secret(std::string_view given, std::string_view secret);

}  // namespace glassrank
