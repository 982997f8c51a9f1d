#include "glassrank/data/io/text_chunks.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "glassrank/data/io/number_scanner.h"
#include "glassrank/data/io/ordered_blocks.h"
#include "glassrank/data/io/text_place.h"
#include "glassrank/data/io/unpacked_stream.h"

namespace glassrank {

namespace {

// The chunks of a packed text, one after the other.
class PackedLines {
 public:
  PackedLines(const InputText& input, std::size_t chunk_size)
      : text_(input), chunk_size_(chunk_size) {}

  // Puts the next chunk, then kScanSlack zero bytes, into `chunk`; false when there is none.
  bool next(std::string& chunk) {
    chunk.swap(rest_);
    std::size_t newline = std::string::npos;
    std::size_t from = chunk_size_ - 1;
    while (newline == std::string::npos) {
      if (from < chunk.size()) {
        newline = chunk.find('\n', from);
        from = chunk.size();
      } else if (!text_.has_ended()) {
        // At least half as much again, so that a very long line costs no more than its length.
        text_.read_more(chunk, std::max(chunk_size_, chunk.size() + chunk.size() / 2));
      } else {
        break;
      }
    }
    if (chunk.empty()) return false;
    if (newline == std::string::npos) {
      if (chunk.back() != '\n') chunk += '\n';
      newline = chunk.size() - 1;
    }
    rest_.assign(chunk, newline + 1);
    chunk.resize(newline + 1);
    chunk.append(kScanSlack, '\0');
    return true;
  }
  std::size_t take_num_used() { return text_.take_num_used(); }

 private:
  UnpackedStream text_;
  std::size_t chunk_size_;
  std::string rest_;
};

}  // namespace

TextChunks::TextChunks(InputText input, std::size_t chunk_size)
    : input_(std::move(input)), chunk_size_(chunk_size) {
  if (input_.packing() == Packing::kNone) cut();
}

void TextChunks::cut() {
  const std::string_view text = input_.text();
  // Lines begin behind a byte order mark.
  const std::size_t text_begin = text.size() - skip_byte_order_mark(text).size();
  // The last line whose newline has kScanSlack bytes of text behind it ends here.
  const std::size_t last_newline =
      text.size() > kScanSlack ? text.rfind('\n', text.size() - kScanSlack - 1) : text.npos;
  const std::size_t tail_begin = last_newline == text.npos ? text_begin : last_newline + 1;
  for (std::size_t begin = text_begin; begin < tail_begin;) {
    borders_.push_back(begin);
    const std::size_t aim = std::min(begin + chunk_size_, tail_begin);
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

TextChunk TextChunks::chunk(std::size_t i) const {
  if (i + 1 == borders_.size()) return {tail_.data(), tail_.data() + tail_size_};
  const char* text = input_.text().data();
  return {text + borders_[i], text + borders_[i + 1]};
}

void TextChunks::run(const Context& context, std::size_t count, Body body) const {
  if (input_.packing() == Packing::kNone) {
    run_in_memory(context, std::min(count, borders_.size()), body);
  } else {
    run_packed(context, count, body);
  }
}

void TextChunks::run_packed(const Context& context, std::size_t count, Body body) const {
  Progress progress(context, "reading", "bytes", input_.text().size());
  const auto owner = std::this_thread::get_id();
  PackedLines lines(input_, chunk_size_);
  run_ordered_blocks<std::string>(
      context,
      [&](std::string& text, std::size_t i) {
        const bool is_there = i < count && lines.next(text);
        progress.add(lines.take_num_used());
        if (std::this_thread::get_id() == owner) progress.report();
        return is_there;
      },
      [&](const std::string& text, std::size_t i) {
        body(i, {text.data(), text.data() + text.size() - kScanSlack});
      });
}

void TextChunks::run_in_memory(const Context& context, std::size_t count, Body body) const {
  Progress progress(context, "reading", "bytes", input_.text().size());
  const auto owner = std::this_thread::get_id();
  std::atomic<std::size_t> first_failed = count;
  std::exception_ptr failure;
  std::mutex mutex;
  context.threads->run(count, [&](std::size_t i) {
    if (i > first_failed.load(std::memory_order_relaxed)) return;
    try {
      context.check_stop();
      body(i, chunk(i));
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (i < first_failed.load(std::memory_order_relaxed)) {
        first_failed.store(i, std::memory_order_relaxed);
        failure = std::current_exception();
      }
    }
    const std::size_t end = i + 1 < borders_.size() ? borders_[i + 1] : input_.text().size();
    input_.release(borders_[i], end);
    progress.add(end - borders_[i]);
    if (std::this_thread::get_id() == owner) progress.report();
  });
  if (failure) std::rethrow_exception(failure);
}

}  // namespace glassrank
