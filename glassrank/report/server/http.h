#pragma once
// A request and an answer, as far as the service needs to know of HTTP.

#include <memory>
#include <string>

namespace glassrank {

struct HttpRequest {
  std::string method;
  std::string path;           // decoded, without the query
  std::string host;           // the Host header
  std::string authorization;  // the Authorization header
  std::string token;          // ?token=, for a page that is opened by its address
  std::string content_type;
  std::string body;
};

struct HttpAnswer {
  int status = 200;
  std::string type = "application/json";
  std::string body;
  std::shared_ptr<const std::string> shared_body = nullptr;  // instead of `body`, for large ones
  double seconds = 0;                                        // the server spent on it
  double waited = 0;                                         // of these, for its turn
};

}  // namespace glassrank
