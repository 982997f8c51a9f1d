#include "glassrank/data/io/csv/csv_chunks.h"

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>

#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"
#include "glassrank/data/io/ordered_blocks.h"
#include "glassrank/data/io/text_place.h"
#include "glassrank/data/io/unpacked_stream.h"

namespace glassrank {
namespace {

// Chunks parsed between two looks at progress and errors.
constexpr std::size_t kChunksPerWave = 64;

std::size_t count_lines(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

// Unpacks until all of the first record that is not empty is there, and the rows to be looked at.
std::string unpack_head(const InputText& input, char separator) {
  UnpackedStream text(input);
  std::string head;
  while (!text.has_ended()) {
    text.read_more(head, 2 * head.size());
    CsvCutter cutter(head, separator);
    while (!cutter.at_end()) {
      const CsvChunk chunk = cutter.next(1);
      // Cut short, a record would run to the end.
      if (chunk.num_rows == 0 || cutter.at_end()) continue;
      const auto header_end = static_cast<std::size_t>(chunk.end - head.data());
      const std::size_t wanted = header_end + kFirstRowsBytes + 1;
      if (head.size() < wanted) text.read_more(head, wanted);
      return head;
    }
  }
  return head;
}

// The chunks of a packed text behind its header, one after the other.
class PackedRecords {
 public:
  PackedRecords(const InputText& input, char separator, std::size_t body_offset,
                std::size_t chunk_bytes)
      : text_(input), separator_(separator), chunk_bytes_(chunk_bytes) {
    while (rest_.size() < body_offset && !text_.has_ended()) text_.read_more(rest_, body_offset);
    const std::size_t header_bytes = std::min(body_offset, rest_.size());
    next_line_ += count_lines(std::string_view(rest_).substr(0, header_bytes));
    rest_.erase(0, header_bytes);
  }

  struct Block {
    std::string text;
    CsvPiece piece;
  };
  // False when there is no other.
  bool next(Block& block) {
    block.text.swap(rest_);
    CsvChunk chunk;
    while (true) {
      CsvCutter cutter(block.text, separator_);
      chunk = cutter.next(chunk_bytes_);
      // What reaches the end may go on behind it.
      if (!cutter.at_end() || text_.has_ended()) break;
      text_.read_more(block.text, std::max(2 * chunk_bytes_, 2 * block.text.size()));
    }
    const auto size = static_cast<std::size_t>(chunk.end - chunk.begin);
    if (size == 0) return false;
    rest_.assign(block.text, size);
    block.text.resize(size);
    block.piece = {.chunk = {.begin = block.text.data(),
                             .end = block.text.data() + size,
                             .first_row = next_row_,
                             .num_rows = chunk.num_rows},
                   .text = block.text,
                   .first_line = next_line_};
    next_row_ += chunk.num_rows;
    next_line_ += count_lines(block.text);
    return true;
  }
  std::size_t take_num_used() { return text_.take_num_used(); }

 private:
  UnpackedStream text_;
  char separator_;
  std::size_t chunk_bytes_;
  std::string rest_;
  std::size_t next_row_ = 0;
  std::size_t next_line_ = 1;
};

}  // namespace

CsvChunks::CsvChunks(InputText input, char separator, std::size_t chunk_bytes)
    : input_(std::move(input)), separator_(separator), chunk_bytes_(chunk_bytes) {
  if (input_.packing() == Packing::kNone) {
    head_ = skip_byte_order_mark(input_.text());
  } else {
    packed_head_ = unpack_head(input_, separator_);
    head_ = packed_head_;
  }
}

void CsvChunks::set_body(std::string_view body) {
  body_offset_ = static_cast<std::size_t>(body.data() - head_.data());
  if (input_.packing() != Packing::kNone) return;
  CsvCutter cutter(body, separator_);
  while (!cutter.at_end()) chunks_.push_back(cutter.next(chunk_bytes_));
}

std::size_t CsvChunks::num_rows() const {
  return chunks_.empty() ? 0 : chunks_.back().first_row + chunks_.back().num_rows;
}

void CsvChunks::run(const Context& context, Use use) const {
  if (input_.packing() == Packing::kNone) {
    run_in_memory(context, use);
  } else {
    run_packed(context, use);
  }
}

void CsvChunks::run_in_memory(const Context& context, Use use) const {
  const char* const base = input_.text().data();
  Progress progress(context, "reading " + name(), "bytes", input_.text().size());
  for (std::size_t first = 0; first < chunks_.size(); first += kChunksPerWave) {
    context.check_stop();
    const std::size_t count = std::min(kChunksPerWave, chunks_.size() - first);
    std::vector<std::optional<Error>> errors(count);
    parallel_for(context, count, 1, [&](std::size_t i, std::size_t) {
      const CsvChunk& chunk = chunks_[first + i];
      try {
        use(first + i, {.chunk = chunk, .text = head_, .first_line = 1});
      } catch (const Error& error) {
        errors[i] = error;
      }
      progress.add(static_cast<std::uint64_t>(chunk.end - chunk.begin));
    });
    for (const std::optional<Error>& error : errors) {
      if (error) throw Error(*error);  // the first in the file
    }
    input_.release(static_cast<std::size_t>(chunks_[first].begin - base),
                   static_cast<std::size_t>(chunks_[first + count - 1].end - base));
    progress.report();
  }
}

void CsvChunks::run_packed(const Context& context, Use use) const {
  Progress progress(context, "reading " + name(), "bytes", input_.text().size());
  const auto owner = std::this_thread::get_id();
  PackedRecords records(input_, separator_, body_offset_, chunk_bytes_);
  run_ordered_blocks<PackedRecords::Block>(
      context,
      [&](PackedRecords::Block& block, std::size_t) {
        const bool is_there = records.next(block);
        progress.add(records.take_num_used());
        if (std::this_thread::get_id() == owner) progress.report();
        return is_there;
      },
      [&](const PackedRecords::Block& block, std::size_t i) { use(i, block.piece); });
}

}  // namespace glassrank
