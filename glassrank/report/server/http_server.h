#pragma once
// HTTP/1.1 over TCP: hands whole requests to a handler and sends its answers. Everything that comes
// over the wire is bounded: time until the head of a request is there, time for its body and its
// answer, size of both, number of clients. Only plain requests are taken: GET, HEAD and POST with a
// Content-Length, without encodings, ranges or chunks; others get a clear error, and their
// connection ends.
//
// cpp-httplib is behind it; no other file includes that. A thread per connection that is open.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "glassrank/report/server/http.h"

namespace glassrank {

struct HttpLimits {
  std::size_t body_bytes = 16 << 20;
  double head_seconds = 5;
  double seconds = 30;       // for the rest of a request and its answer
  double idle_seconds = 60;  // between two requests of a client
  int clients = 256;
};

class HttpServer {
 public:
  using Handler = std::function<HttpAnswer(const HttpRequest&)>;
  using ErrorBody = std::function<std::string(int status, const std::string& message)>;

  // `error_body` words what the server itself refuses. Both are called from many threads.
  HttpServer(const HttpLimits& limits, Handler handler, ErrorBody error_body);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // Port 0: any that is free. Returns the port. Throws Error{kIo}.
  int listen(const std::string& host, int port);
  // Answers until `stop` is set; then ends every connection. Calls `glance` now and then.
  void run(const std::atomic<bool>& stop, const std::function<void()>& glance);

  std::size_t num_clients() const;
  std::uint64_t num_refused() const;

 private:
  class Server;
  std::unique_ptr<Server> server_;
};

}  // namespace glassrank
