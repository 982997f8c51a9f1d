#include "glassrank/report/server/http_server.h"

#include <arpa/inet.h>
#include <atomic>
#include <netinet/in.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

// A server on the loopback that says what it was asked, for as long as the object lives.
class Echo {
 public:
  explicit Echo(HttpLimits limits = {.body_bytes = 1000, .head_seconds = 0.3, .seconds = 0.5})
      : server_(
            limits,
            [](const HttpRequest& request) {
              return HttpAnswer{
                  .type = "text/plain",
                  .body = fmt::format("{} {} {}", request.method, request.path, request.body)};
            },
            [](int status, const std::string& message) {
              return fmt::format("refused {}: {}", status, message);
            }) {
    port_ = server_.listen("127.0.0.1", 0);
    thread_ = std::thread([this] { server_.run(stop_, [] {}); });
  }
  ~Echo() {
    stop_ = true;
    thread_.join();
  }
  Echo(const Echo&) = delete;
  Echo& operator=(const Echo&) = delete;

  int connect() const {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port_));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    const timeval patience{.tv_sec = 20, .tv_usec = 0};
    ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    return socket;
  }
  // All that comes back until the server closes.
  std::string ask(const std::string& text) const {
    const int socket = connect();
    static_cast<void>(::send(socket, text.data(), text.size(), MSG_NOSIGNAL));
    std::string answer = rest(socket);
    ::close(socket);
    return answer;
  }
  static std::string rest(int socket) {
    std::string answer;
    char buffer[4096];
    for (ssize_t count = 0; (count = ::recv(socket, buffer, sizeof buffer, 0)) > 0;) {
      answer.append(buffer, static_cast<std::size_t>(count));
    }
    return answer;
  }
  int port() const { return port_; }
  std::uint64_t num_refused() const { return server_.num_refused(); }

 private:
  HttpServer server_;
  std::atomic<bool> stop_ = false;
  int port_ = 0;
  std::thread thread_;
};

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(HttpServer, AnswersOneRequestAfterTheOther) {
  const Echo echo;
  const std::string answer = echo.ask(
      "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc"
      "GET /b?c=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  EXPECT_TRUE(has(answer, "POST /a abc")) << answer;
  EXPECT_TRUE(has(answer, "GET /b ")) << answer;
  EXPECT_TRUE(has(answer, "X-Content-Type-Options: nosniff"));
}

TEST(HttpServer, RefusesWhatIsNoPlainRequest) {
  const Echo echo;
  const auto status = [&](const std::string& text) { return echo.ask(text).substr(0, 12); };
  EXPECT_EQ(status("nonsense\r\n\r\n"), "HTTP/1.1 400");
  EXPECT_EQ(status("PUT / HTTP/1.1\r\nContent-Length: 0\r\n\r\n"), "HTTP/1.1 405");
  EXPECT_EQ(status("POST / HTTP/1.1\r\n\r\n"), "HTTP/1.1 411");
  EXPECT_EQ(status("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
            "HTTP/1.1 411");
  EXPECT_EQ(status("POST / HTTP/1.1\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx"),
            "HTTP/1.1 400");
  EXPECT_EQ(status("POST / HTTP/1.1\r\nContent-Length: 1001\r\n\r\n"), "HTTP/1.1 413");
  EXPECT_EQ(status("POST / HTTP/1.1\r\nContent-Length: 99999999999999999999999\r\n\r\n"),
            "HTTP/1.1 413");
  EXPECT_EQ(status("POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n"), "HTTP/1.1 400");
  EXPECT_EQ(status("POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"),
            "HTTP/1.1 400");
  EXPECT_EQ(status("GET / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello"), "HTTP/1.1 400");
  EXPECT_EQ(status("GET /" + std::string(9000, 'a') + " HTTP/1.1\r\n\r\n"), "HTTP/1.1 414");
  EXPECT_EQ(status("GET / HTTP/1.1\r\nA: " + std::string(50'000, 'a') + "\r\n\r\n"),
            "HTTP/1.1 431");
}

TEST(HttpServer, BodyOfARefusedRequestIsNotTakenForTheNext) {
  const Echo echo;
  const std::string answer =
      echo.ask("POST / HTTP/1.1\r\nContent-Length: 2000\r\n\r\nGET /smuggled HTTP/1.1\r\n\r\n");
  EXPECT_TRUE(has(answer, "413"));
  EXPECT_FALSE(has(answer, "smuggled")) << answer;
}

TEST(HttpServer, SlowClientsAreSentAway) {
  const Echo echo;
  EXPECT_TRUE(has(echo.ask("GET / HTTP/1.1\r\nA: "), "408"));
  EXPECT_TRUE(has(echo.ask("POST / HTTP/1.1\r\nContent-Length: 10\r\n\r\nabc"), "408"));
  EXPECT_EQ(echo.ask(""), "");
}

TEST(HttpServer, TooManyClientsAreTurnedAway) {
  const Echo echo({.head_seconds = 5, .clients = 2});
  const int first = echo.connect();
  const int second = echo.connect();
  EXPECT_TRUE(has(echo.ask("GET / HTTP/1.1\r\n\r\n"), "503"));
  EXPECT_EQ(echo.num_refused(), 1);
  ::close(first);
  ::close(second);
}

TEST(HttpServer, ManyClientsAtATimeAreAllAnswered) {
  const Echo echo({.clients = 64});
  std::atomic<int> num_right = 0;
  std::vector<std::thread> clients;
  for (int c = 0; c < 32; ++c) {
    clients.emplace_back([&, c] {
      const std::string answer = echo.ask(
          fmt::format("POST /{} HTTP/1.1\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi", c));
      if (has(answer, fmt::format("POST /{} hi", c))) ++num_right;
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(num_right, 32);
}

TEST(HttpServer, StopsWithClientsConnected) {
  auto echo = std::make_unique<Echo>(HttpLimits{.head_seconds = 60});
  const int client = echo->connect();
  echo.reset();
  EXPECT_EQ(Echo::rest(client), "");
  ::close(client);
}

TEST(HttpServer, SaysWhyItCannotListen) {
  const Echo echo;
  HttpServer other(
      {}, [](const HttpRequest&) { return HttpAnswer{}; },
      [](int, const std::string& message) { return message; });
  try {
    other.listen("127.0.0.1", echo.port());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kIo);
    EXPECT_TRUE(has(error.what(), "cannot listen on 127.0.0.1:")) << error.what();
    EXPECT_TRUE(has(error.what(), "Address already in use")) << error.what();
  }
}

}  // namespace
}  // namespace glassrank
