#pragma once
// A socket read and written with limits of time: every call ends, whatever the other side does.

#include <chrono>
#include <cstddef>
#include <string_view>
#include <vector>

namespace glassrank {

class Connection {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // `wake` is a descriptor that becomes readable when everything is to end. Owns neither.
  Connection(int socket, int wake);

  // Until something can be read, or not: false at the end of the time, of the connection, of
  // everything.
  bool wait_readable(Time end);
  // What there is, at most `size` bytes; 0 when there is nothing more, or no more time.
  std::size_t read(char* to, std::size_t size, Time end);
  bool has_buffered() const { return first_ != last_; }
  // All of it, or false.
  bool write(std::string_view bytes, Time end);
  // Says that nothing more is written, and takes for a short time what is still sent: closing over
  // unread bytes would take the answer back.
  void finish();

 private:
  enum class Ready { kYes, kTime, kEnd };
  Ready wait(short events, Time end);
  bool fill(Time end);

  int socket_;
  int wake_;
  std::vector<char> buffer_;
  std::size_t first_ = 0;
  std::size_t last_ = 0;
};

}  // namespace glassrank
