#include "glassrank/report/server/http_server.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <exception>
#include <httplib.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string_view>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/start_thread.h"
#include "glassrank/report/server/connection.h"
#include "glassrank/report/server/connection_threads.h"

namespace glassrank {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostHeadBytes = std::size_t{32} << 10;
constexpr int kWaitingClients = 1024;  // that the system keeps for us
constexpr std::chrono::milliseconds kGlance(50);
constexpr const char* kTooLate = "the request took too long to come";
constexpr const char* kTooLarge = "the head of the request is too large";
constexpr const char* kNoMemory = "out of memory; ask for less at a time";

// Of what is refused before cpp-httplib sees it.
std::string_view reason_of(int status) {
  if (status == 408) return "Request Timeout";
  if (status == 431) return "Request Header Fields Too Large";
  return "Service Unavailable";
}

Clock::time_point in_seconds(double seconds) {
  return Clock::now() + std::chrono::milliseconds(static_cast<long>(1000 * seconds));
}

// One connection as cpp-httplib sees it. It reads the head of a request byte by byte.
class LimitedStream final : public httplib::Stream {
 public:
  LimitedStream(Connection& connection, const HttpLimits& limits)
      : connection_(connection), limits_(limits) {}

  void begin_request() {
    end_ = in_seconds(limits_.head_seconds);
    head_bytes_ = 0;
    in_head_ = true;
    has_written_ = false;
  }
  void end_head() {
    in_head_ = false;
    end_ = in_seconds(limits_.seconds);
  }
  // An answer may take as long again as the request could.
  void begin_answer() { end_ = in_seconds(limits_.seconds); }

  bool has_begun() const { return head_bytes_ > 0; }
  bool has_written() const { return has_written_; }
  bool is_head_too_large() const { return in_head_ && head_bytes_ > kMostHeadBytes; }
  bool is_late() const { return Clock::now() >= end_; }

  bool is_readable() const override { return true; }
  bool is_writable() const override { return true; }
  ssize_t read(char* to, size_t size) override {
    if (is_head_too_large()) return -1;
    const std::size_t count = connection_.read(to, size, end_);
    if (in_head_) head_bytes_ += count;
    return count == 0 ? -1 : static_cast<ssize_t>(count);
  }
  ssize_t write(const char* from, size_t size) override {
    has_written_ = true;
    return connection_.write({from, size}, end_) ? static_cast<ssize_t>(size) : -1;
  }
  void get_remote_ip_and_port(std::string&, int&) const override {}
  void get_local_ip_and_port(std::string&, int&) const override {}
  // Only compared with the largest that select() takes, which is not used here.
  socket_t socket() const override { return 0; }

 private:
  Connection& connection_;
  const HttpLimits& limits_;
  Clock::time_point end_;
  std::size_t head_bytes_ = 0;
  bool in_head_ = true;
  bool has_written_ = false;
};

// What is wrong with the head of a request, before its body is read; 0: nothing.
struct Refusal {
  int status = 0;
  std::string message;
};

Refusal check_head(const httplib::Request& request, const HttpLimits& limits) {
  const bool is_post = request.method == "POST";
  if (!is_post && request.method != "GET" && request.method != "HEAD") {
    return {405, fmt::format("{} is not understood here; GET and POST are", request.method)};
  }
  for (const char* name : {"Transfer-Encoding", "Content-Encoding", "Range", "Upgrade"}) {
    if (!request.has_header(name)) continue;
    const bool is_length = std::string_view(name) == "Transfer-Encoding";
    return {is_length ? 411 : 400, fmt::format("requests with {} are not taken here{}", name,
                                               is_length ? "; send a Content-Length" : "")};
  }
  const std::size_t count = request.get_header_value_count("Content-Length");
  if (count > 1) return {400, "more than one Content-Length"};
  if (count == 0) {
    return is_post ? Refusal{411, "a POST needs a Content-Length"} : Refusal{};
  }
  const std::string length = request.get_header_value("Content-Length");
  std::size_t size = 0;
  const auto [end, error] = std::from_chars(length.data(), length.data() + length.size(), size);
  const bool is_number = end == length.data() + length.size() && !length.empty();
  if (error == std::errc::result_out_of_range && is_number)
    size = SIZE_MAX;
  else if (error != std::errc() || !is_number)
    return {400, "Content-Length is no number"};
  if (!is_post && size > 0) return {400, "only a POST may have a body"};
  if (size > limits.body_bytes) {
    return {413, fmt::format("a body of {} bytes; at most {} are taken (--max-body)", size,
                             limits.body_bytes)};
  }
  return {};
}

std::string header_of(const httplib::Request& request, const char* name) {
  return request.has_header(name) ? request.get_header_value(name) : "";
}

// Security headers of every answer; the page is one file and asks this server only.
const httplib::Headers& answer_headers() {
  static const httplib::Headers headers = {
      {"X-Content-Type-Options", "nosniff"},
      {"Referrer-Policy", "no-referrer"},
      {"Cache-Control", "no-store"},
      {"X-Frame-Options", "DENY"},
      {"Content-Security-Policy",
       "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: "
       "blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"}};
  return headers;
}

// Connections that cpp-httplib has accepted.
class Clients final : public httplib::TaskQueue {
 public:
  Clients(int most, std::function<void(const std::function<void()>&)> refuse)
      : threads_(static_cast<std::size_t>(most)), refuse_(std::move(refuse)) {}

  void enqueue(std::function<void()> serve) override {
    if (!threads_.start(serve)) refuse_(serve);
  }
  void shutdown() override { threads_.join(); }

 private:
  ConnectionThreads threads_;
  std::function<void(const std::function<void()>&)> refuse_;
};

}  // namespace

class HttpServer::Server final : public httplib::Server {
 public:
  Server(const HttpLimits& limits, HttpServer::Handler handler, ErrorBody error_body)
      : limits_(limits), handler_(std::move(handler)), error_body_(std::move(error_body)) {
    wake_ = ::eventfd(0, EFD_CLOEXEC);
    if (wake_ < 0) fail(ErrorKind::kIo, "cannot start a server: {}", std::strerror(errno));
    // Not SO_REUSEPORT, with which two servers would share a port without a word.
    set_socket_options([](socket_t socket) {
      const int yes = 1;
      ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    set_keep_alive_timeout(static_cast<time_t>(limits_.idle_seconds));
    set_keep_alive_max_count(kMostRequests);
    set_default_headers(answer_headers());
    set_payload_max_length(limits_.body_bytes);
    new_task_queue = [this] {
      return new Clients(limits_.clients, [](const std::function<void()>& serve) {
        refuses_ = true;
        serve();
        refuses_ = false;
      });
    };
    set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      return before_body(request, response);
    });
    Post("/", [this](const httplib::Request& request, httplib::Response& response) {
      answer(request, response);
    });
    set_error_handler([this](const httplib::Request&, httplib::Response& response) {
      if (current_->is_answered) return;
      const char* message = "this is no HTTP request that the server understands";
      if (current_->stream.is_head_too_large()) {
        response.status = 431;
        message = kTooLarge;
      } else if (current_->stream.is_late()) {
        response.status = 408;
        message = kTooLate;
      } else if (response.status == 500) {  // something has thrown: it can only be this
        response.status = 503;
        response.headers.erase("EXCEPTION_WHAT");
        message = kNoMemory;
      }
      response.set_content(error_body_(response.status, message), "application/json");
    });
  }
  ~Server() override { ::close(wake_); }

  int listen_on(const std::string& host, int port) {
    errno = 0;
    const bool is_bound =
        port == 0 ? (port = bind_to_any_port(host)) > 0 : bind_to_port(host, port);
    if (!is_bound || ::listen(svr_sock_, kWaitingClients) != 0) {
      fail(ErrorKind::kIo, "cannot listen on {}:{}: {}", host, port,
           errno != 0 ? std::strerror(errno) : "no such address");
    }
    return port;
  }

  void run(const std::atomic<bool>& stop_flag, const std::function<void()>& glance) {
    std::atomic<bool> is_done = false;
    std::exception_ptr error;
    std::thread accepting = start_thread([&] {
      try {
        listen_after_bind();
      } catch (...) {
        error = std::current_exception();
      }
      is_done = true;
    });
    while (!is_done) {
      std::this_thread::sleep_for(kGlance);
      glance();
      if (!stop_flag) continue;
      const std::uint64_t one = 1;
      static_cast<void>(::write(wake_, &one, sizeof one) == 0);
      stop();
    }
    accepting.join();
    if (error) std::rethrow_exception(error);
  }

  std::size_t num_clients() const { return num_clients_; }
  std::uint64_t num_refused() const { return num_refused_; }

 private:
  static constexpr std::size_t kMostRequests = 100'000;  // of one connection

  // What the handlers of a request know of its connection.
  struct Current {
    LimitedStream& stream;
    std::string path = {};
    bool is_answered = false;  // by the handler or a refusal
    bool must_close = true;    // until its body has been read
  };
  static thread_local Current* current_;
  static thread_local bool refuses_;

  // Throws nothing: without memory for an answer the connection ends, and no other one.
  bool process_and_close_socket(socket_t socket) override {
    const int yes = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (refuses_) {
      ++num_refused_;
    } else {
      ++num_clients_;
    }
    try {
      Connection connection(socket, wake_);
      if (refuses_) {
        refuse(connection, 503, "too many clients; try again later (--max-clients sets the limit)",
               Clock::now());
        ::shutdown(socket, SHUT_RDWR);
      } else {
        serve(connection);
        connection.finish();
      }
    } catch (const std::exception&) {
      current_ = nullptr;
    }
    if (!refuses_) --num_clients_;
    ::close(socket);
    return true;
  }

  void serve(Connection& connection) {
    LimitedStream stream(connection, limits_);
    for (std::size_t request = 0; request < kMostRequests; ++request) {
      if (!connection.wait_readable(
              in_seconds(request == 0 ? limits_.head_seconds : limits_.idle_seconds))) {
        return;
      }
      Current current{.stream = stream};
      current_ = &current;
      stream.begin_request();
      bool is_closed = false;
      const bool is_done = process_request(stream, false, is_closed, [&](httplib::Request& head) {
        stream.end_head();
        head.headers.erase("Accept-Encoding");         // nothing is packed: answers are small
        current.path = std::exchange(head.path, "/");  // routes are not cpp-httplib's
      });
      current_ = nullptr;
      if (!is_done && !stream.has_written() && stream.has_begun()) refuse_late(connection, stream);
      if (!is_done || is_closed || current.must_close) return;
    }
  }

  void refuse_late(Connection& connection, const LimitedStream& stream) {
    const auto end = in_seconds(1);
    if (stream.is_head_too_large()) {
      refuse(connection, 431, kTooLarge, end);
    } else if (stream.is_late()) {
      refuse(connection, 408, kTooLate, end);
    }
  }

  void refuse(Connection& connection, int status, const std::string& message,
              Clock::time_point end) {
    const std::string body = error_body_(status, message);
    connection.write(fmt::format("HTTP/1.1 {} {}\r\nContent-Type: application/json\r\n"
                                 "Content-Length: {}\r\nConnection: close\r\n\r\n{}",
                                 status, reason_of(status), body.size(), body),
                     end);
  }

  httplib::Server::HandlerResponse before_body(const httplib::Request& request,
                                               httplib::Response& response) {
    const Refusal refusal = check_head(request, limits_);
    if (refusal.status != 0) {
      response.status = refusal.status;
      response.set_content(error_body_(refusal.status, refusal.message), "application/json");
      current_->is_answered = true;
      return HandlerResponse::Handled;
    }
    if (request.method == "POST") return HandlerResponse::Unhandled;
    answer(request, response);
    return HandlerResponse::Handled;
  }

  void answer(const httplib::Request& request, httplib::Response& response) {
    HttpRequest plain{.method = request.method,
                      .path = current_->path,
                      .host = header_of(request, "Host"),
                      .authorization = header_of(request, "Authorization"),
                      .token = request.has_param("token") ? request.get_param_value("token") : "",
                      .content_type = header_of(request, "Content-Type"),
                      .body = request.body};
    const HttpAnswer answer = handler_(plain);
    current_->stream.begin_answer();
    response.status = answer.status;
    response.set_header("Server-Timing", fmt::format("app;dur={:.3f}, wait;dur={:.3f}",
                                                     1e3 * answer.seconds, 1e3 * answer.waited));
    if (answer.status == 401) response.set_header("WWW-Authenticate", "Bearer");
    if (answer.shared_body) {
      const auto body = answer.shared_body;
      response.set_content_provider(
          body->size(), answer.type,
          [body](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
            return sink.write(body->data() + offset, length);
          });
    } else {
      response.set_content(answer.body, answer.type);
    }
    current_->is_answered = true;
    current_->must_close = false;
  }

  const HttpLimits limits_;
  HttpServer::Handler handler_;
  ErrorBody error_body_;
  int wake_ = -1;
  std::atomic<std::size_t> num_clients_ = 0;
  std::atomic<std::uint64_t> num_refused_ = 0;
};

thread_local HttpServer::Server::Current* HttpServer::Server::current_ = nullptr;
thread_local bool HttpServer::Server::refuses_ = false;

HttpServer::HttpServer(const HttpLimits& limits, Handler handler, ErrorBody error_body)
    : server_(std::make_unique<Server>(limits, std::move(handler), std::move(error_body))) {}
HttpServer::~HttpServer() = default;
int HttpServer::listen(const std::string& host, int port) { return server_->listen_on(host, port); }
void HttpServer::run(const std::atomic<bool>& stop, const std::function<void()>& glance) {
  server_->run(stop, glance);
}
std::size_t HttpServer::num_clients() const { return server_->num_clients(); }
std::uint64_t HttpServer::num_refused() const { return server_->num_refused(); }

}  // namespace glassrank
