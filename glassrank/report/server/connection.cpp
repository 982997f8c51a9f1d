#include "glassrank/report/server/connection.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>

namespace glassrank {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{16} << 10;
constexpr std::chrono::milliseconds kFinish(500);
constexpr std::size_t kMostDrained = std::size_t{64} << 20;

}  // namespace

Connection::Connection(int socket, int wake)
    : socket_(socket), wake_(wake), buffer_(kBufferBytes) {}

Connection::Ready Connection::wait(short events, Time end) {
  while (true) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0) return Ready::kTime;
    pollfd watched[] = {{.fd = socket_, .events = events, .revents = 0},
                        {.fd = wake_, .events = POLLIN, .revents = 0}};
    const auto time = static_cast<int>(std::min<long>(left.count(), 60'000));
    const int count = ::poll(watched, 2, time);
    if (count < 0 && errno != EINTR) return Ready::kEnd;
    if (count <= 0) continue;
    if (watched[1].revents != 0) return Ready::kEnd;
    if ((watched[0].revents & (events | POLLERR | POLLHUP | POLLNVAL)) != 0) return Ready::kYes;
  }
}

bool Connection::wait_readable(Time end) {
  return has_buffered() || wait(POLLIN, end) == Ready::kYes;
}

bool Connection::fill(Time end) {
  while (true) {
    const ssize_t count = ::recv(socket_, buffer_.data(), buffer_.size(), MSG_DONTWAIT);
    if (count > 0) {
      first_ = 0;
      last_ = static_cast<std::size_t>(count);
      return true;
    }
    const bool may_come = count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
    if (!may_come || wait(POLLIN, end) != Ready::kYes) return false;
  }
}

std::size_t Connection::read(char* to, std::size_t size, Time end) {
  if (!has_buffered() && !fill(end)) return 0;
  const std::size_t taken = std::min(size, last_ - first_);
  std::memcpy(to, buffer_.data() + first_, taken);
  first_ += taken;
  return taken;
}

bool Connection::write(std::string_view bytes, Time end) {
  while (!bytes.empty()) {
    const ssize_t count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
      continue;
    }
    if (count < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) return false;
    if (wait(POLLOUT, end) != Ready::kYes) return false;
  }
  return true;
}

void Connection::finish() {
  ::shutdown(socket_, SHUT_WR);
  const Time end = std::chrono::steady_clock::now() + kFinish;
  for (std::size_t drained = 0; drained < kMostDrained; drained += last_) {
    first_ = last_ = 0;
    if (!fill(end)) return;
  }
}

}  // namespace glassrank
