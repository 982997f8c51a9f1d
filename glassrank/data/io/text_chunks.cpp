#include "glassrank/data/io/text_chunks.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <thread>
#include <utility>

#include "glassrank/data/io/number_scanner.h"
#include "glassrank/data/io/text_place.h"

namespace glassrank {

TextChunks::TextChunks(InputText input, std::size_t chunk_size) : input_(std::move(input)) {
  const std::string_view text = input_.text();
  // Lines begin behind a byte order mark.
  const std::size_t text_begin = text.size() - skip_byte_order_mark(text).size();
  // The last line whose newline has kScanSlack bytes of text behind it ends here.
  const std::size_t last_newline =
      text.size() > kScanSlack ? text.rfind('\n', text.size() - kScanSlack - 1) : text.npos;
  const std::size_t tail_begin = last_newline == text.npos ? text_begin : last_newline + 1;
  for (std::size_t begin = text_begin; begin < tail_begin;) {
    borders_.push_back(begin);
    const std::size_t aim = std::min(begin + chunk_size, tail_begin);
    begin = text.find('\n', aim - 1) + 1;
    // Looking at one byte may have mapped megabytes around it.
    input_.release(borders_.back(), begin);
  }
  if (text.size() == text_begin) return;
  borders_.push_back(tail_begin);
  tail_ = text.substr(tail_begin);  // never empty: it holds the last kScanSlack bytes
  if (tail_.back() != '\n') tail_ += '\n';
  tail_size_ = tail_.size();
  tail_.append(kScanSlack, '\0');
}

TextChunks::Chunk TextChunks::operator[](std::size_t i) const {
  if (i + 1 == size()) return {tail_.data(), tail_.data() + tail_size_};
  const char* text = input_.text().data();
  return {text + borders_[i], text + borders_[i + 1]};
}

void TextChunks::run(const Context& context, std::size_t count,
                     FunctionRef<void(std::size_t)> body) const {
  Progress progress(context, "reading", "bytes", input_.text().size());
  const auto owner = std::this_thread::get_id();
  std::atomic<std::size_t> first_failed = count;
  std::exception_ptr failure;
  std::mutex mutex;
  context.threads->run(count, [&](std::size_t i) {
    if (i > first_failed.load(std::memory_order_relaxed)) return;
    try {
      context.check_stop();
      body(i);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (i < first_failed.load(std::memory_order_relaxed)) {
        first_failed.store(i, std::memory_order_relaxed);
        failure = std::current_exception();
      }
    }
    const std::size_t end = i + 1 < size() ? borders_[i + 1] : input_.text().size();
    input_.release(borders_[i], end);
    progress.add(end - borders_[i]);
    if (std::this_thread::get_id() == owner) progress.report();
  });
  if (failure) std::rethrow_exception(failure);
}

}  // namespace glassrank
