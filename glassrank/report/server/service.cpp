#include "glassrank/report/server/service.h"

#include <algorithm>
#include <exception>
#include <new>
#include <type_traits>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/json.h"
#include "glassrank/base/version.h"
#include "glassrank/report/server/open_api.h"

namespace glassrank {
namespace {

using Clock = std::chrono::steady_clock;

HttpAnswer error_answer(int status, std::string kind, std::string message) {
  const ErrorAnswer error{.error = {.kind = std::move(kind), .message = std::move(message)}};
  return {.status = status, .body = json_text(error)};
}

std::string_view media_type(std::string_view type) {
  type = type.substr(0, type.find(';'));
  while (!type.empty() && type.back() == ' ') type.remove_suffix(1);
  return type;
}

constexpr std::string_view kJsonType = "application/json";
constexpr std::string_view kBinaryType = "application/octet-stream";

}  // namespace

// One entry of the API: what it takes, what it gives, and who does it.
struct Service::Route {
  ApiEntry entry;
  bool is_scoring = false;
  std::string (*run)(Service&, const HttpRequest&, const RequestBody&, const Context&) = nullptr;
};

// Makes routes from the functions of the API: their types say what is asked and answered.
struct ServiceRoutes {
  template <typename Request, typename Answer,
            Answer (Api::*function)(const Request&, const Api::Documents&, const Context&) const>
  static Service::Route post(std::string_view path, std::string_view summary) {
    Service::Route route{.entry = {.method = "POST",
                                   .path = path,
                                   .summary = summary,
                                   .takes_documents = true,
                                   .params = list_params(Request{}),
                                   .answer = [](ResultVisitor& v) { Answer{}.visit(v); }}};
    route.run = [](Service& service, const HttpRequest&, const RequestBody& body,
                   const Context& context) {
      Request request;
      set_options(request, body);
      const Answer answer = (service.api_.*function)(request, body.documents, context);
      if constexpr (std::is_same_v<Answer, ScoreAnswer>) {
        service.counts_.add_documents(answer.scores.size());
      }
      return json_line(answer);
    };
    return route;
  }
  template <typename Answer>
  static Service::Route get(std::string_view path, std::string_view summary) {
    return {.entry = {
                .method = "GET", .path = path, .summary = summary, .answer = [](ResultVisitor& v) {
                  Answer{}.visit(v);
                }}};
  }
  static Service::Route get_text(std::string_view path, std::string_view type,
                                 std::string_view summary) {
    return {.entry = {.method = "GET", .path = path, .summary = summary, .media_type = type}};
  }
};

std::span<const Service::Route> Service::routes() {
  static const std::vector<Route> table = [] {
    std::vector<Route> routes = {
        ServiceRoutes::post<ScoreRequest, ScoreAnswer, &Api::score>("/v1/score",
                                                                    "Scores and ranks"),
        ServiceRoutes::post<ExplainRequest, ExplanationView, &Api::explain>(
            "/v1/explain", "Why a document has its score, or why this order"),
        ServiceRoutes::post<PairRequest, ExplanationView, &Api::pair>(
            "/v1/pair", "Why one document is above another"),
        ServiceRoutes::post<CounterfactualRequest, Counterfactual, &Api::counterfactual>(
            "/v1/counterfactual", "The smallest change that lifts a document"),
        ServiceRoutes::get<ModelAnswer>("/v1/model", "What the model is"),
        ServiceRoutes::get<HealthAnswer>("/health", "Whether the server answers; asks no token"),
        ServiceRoutes::get_text("/metrics", "text/plain", "Counts and times, for Prometheus"),
        ServiceRoutes::get_text("/openapi.json", "application/json", "This description"),
        ServiceRoutes::get_text("/", "text/html", "The report's page, live"),
    };
    routes.front().is_scoring = true;
    routes.front().entry.takes_binary = true;
    return routes;
  }();
  return table;
}

Service::Service(const Api& api, ServiceParams params, const Context& context)
    : api_(api),
      params_(std::move(params)),
      context_(context),
      scoring_(context.threads->count()),
      explaining_(context.threads->count()) {
  // Requests run beside each other; one that took all threads would only wait for the others.
  context_.threads = std::make_shared<Threads>(1);
  context_.progress_sink = nullptr;
  context_.log_sink = nullptr;
}

HttpAnswer Service::answer(const HttpRequest& request) {
  const auto start = Clock::now();
  std::string route = "other";
  HttpAnswer answer;
  try {
    answer = dispatch(request, route);
  } catch (const Error& error) {
    answer = error.kind() == ErrorKind::kInterrupted
                 ? error_answer(503, "time",
                                fmt::format("no answer within {} seconds, or the server stops; ask "
                                            "for less, or raise --seconds",
                                            params_.seconds))
                 : error_answer(400, "request", error.what());
  } catch (const std::bad_alloc&) {
    answer = error_answer(503, "busy", "out of memory; ask for less at a time");
  } catch (const std::exception& error) {
    answer = error_answer(500, "internal", error.what());
  }
  answer.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  counts_.count(route, answer.status, answer.seconds);
  return answer;
}

HttpAnswer Service::dispatch(const HttpRequest& request, std::string& route_name) {
  if (!is_called_right(request)) {
    return error_answer(403, "request",
                        "this server is called by another name; --host says which it listens to");
  }
  const Route* found = nullptr;
  bool is_path = false;
  for (const Route& route : routes()) {
    if (route.entry.path != request.path) continue;
    is_path = true;
    const bool is_head = request.method == "HEAD" && route.entry.method == "GET";
    if (route.entry.method == request.method || is_head) found = &route;
  }
  if (is_path) route_name = request.path;
  const bool is_open = request.path == "/health";
  if (!is_open && !has_token(request)) {
    return error_answer(401, "token", "give the server's token: Authorization: Bearer TOKEN");
  }
  if (!is_path) {
    return error_answer(404, "not-found", "there is no such path; /openapi.json lists all");
  }
  if (found == nullptr) {
    return error_answer(
        405, "method",
        fmt::format("{} is not for {}; /openapi.json lists all", request.path, request.method));
  }
  if (found->run != nullptr) return post(*found, request);
  if (request.path == "/") return page();
  if (request.path == "/health") return health();
  if (request.path == "/v1/model") return {.body = json_text(api_.model())};
  if (request.path == "/openapi.json") return {.body = open_api()};
  return {.type = "text/plain; version=0.0.4", .body = counts_.text()};
}

HttpAnswer Service::post(const Route& route, const HttpRequest& request) {
  const std::string_view type = media_type(request.content_type);
  const bool is_binary = type == kBinaryType && route.entry.takes_binary;
  if (!is_binary && type != kJsonType) {
    return error_answer(
        415, "request",
        fmt::format(
            "the body must be {}{}", kJsonType,
            route.entry.takes_binary ? fmt::format(" or {} (float32 values)", kBinaryType) : ""));
  }
  const Deadlines::Limit limit(
      deadlines_, std::chrono::milliseconds(static_cast<long>(1000 * params_.seconds)));
  const auto asked = Clock::now();
  const Turns::Turn turn(route.is_scoring ? scoring_ : explaining_, limit.end());
  if (!turn.is_mine()) {
    return error_answer(503, "busy", "too many requests are being answered; try again later");
  }
  const double waited = std::chrono::duration<double>(Clock::now() - asked).count();
  Context context = context_;
  context.stop = &limit.stop();
  context.check_stop();
  RequestBody body;
  if (is_binary) {
    body.documents = api_.reader().read_binary(request.body);
  } else {
    body = api_.reader().read_json(request.body);
  }
  return {.body = route.run(*this, request, body, context), .waited = waited};
}

HttpAnswer Service::health() {
  HealthAnswer health{.version = kVersion};
  const std::lock_guard lock(page_mutex_);
  health.page = page_state_;
  return {.body = json_text(health)};
}

HttpAnswer Service::page() {
  const std::lock_guard lock(page_mutex_);
  if (page_) return {.type = "text/html; charset=utf-8", .shared_body = page_};
  if (page_state_ == "being made") {
    return {.status = 503,
            .type = "text/html; charset=utf-8",
            .body =
                "<!doctype html><html lang=\"en\"><title>glassrank</title><meta "
                "http-equiv=\"refresh\" content=\"2\"><p>The page is being made. It opens here "
                "when it is ready; the API answers already."};
  }
  if (page_state_ != "none") return error_answer(500, "internal", page_state_);
  return error_answer(404, "not-found",
                      "there is no page without data (glassrank serve --data FILE); "
                      "/openapi.json lists what can be asked");
}

void Service::expect_page() {
  const std::lock_guard lock(page_mutex_);
  page_state_ = "being made";
}

void Service::set_page(std::string html) {
  const std::lock_guard lock(page_mutex_);
  page_ = std::make_shared<const std::string>(std::move(html));
  page_state_ = "ready";
}

void Service::set_page_error(std::string message) {
  const std::lock_guard lock(page_mutex_);
  page_state_ = std::move(message);
}

std::string Service::open_api() const {
  std::vector<ApiEntry> entries;
  for (const Route& route : routes()) entries.push_back(route.entry);
  return open_api_text(entries, !params_.token.empty());
}

bool Service::has_token(const HttpRequest& request) const {
  if (params_.token.empty()) return true;
  constexpr std::string_view kBearer = "Bearer ";
  const std::string_view header = request.authorization;
  if (header.starts_with(kBearer)) {
    return is_same_secret(header.substr(kBearer.size()), params_.token);
  }
  return request.path == "/" && is_same_secret(request.token, params_.token);
}

bool Service::is_called_right(const HttpRequest& request) const {
  if (params_.hosts.empty()) return true;
  std::string_view name = request.host;
  const std::size_t colon = name.rfind(':');
  if (colon != std::string_view::npos && name.find(']', colon) == std::string_view::npos) {
    name = name.substr(0, colon);
  }
  return std::ranges::find(params_.hosts, name) != params_.hosts.end();
}

bool is_same_secret(std::string_view given, std::string_view secret) {
  unsigned difference = given.size() == secret.size() ? 0U : 1U;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const char expected = secret.empty() ? '\0' : secret[i % secret.size()];
    difference |= static_cast<unsigned char>(given[i] ^ expected);
  }
  return difference == 0 && !secret.empty();
}

}  // namespace glassrank
