// Large texts from small inputs: the lines of an input again and again, up to a megabyte, so that
// they cross the borders of chunks in every way. What is read has to be the lines' rows as often;
// packed files of several members have to unpack to all of them. The first byte chooses the reader
// and the cut, the second how often.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/data/io/compress.h"
#include "glassrank/data/io/csv/csv.h"
#include "glassrank/data/io/decompress.h"
#include "glassrank/data/io/scores.h"
#include "glassrank/data/io/svmlight/svmlight.h"
#include "glassrank/data/judged_run.h"

namespace {

using namespace glassrank;

constexpr std::size_t kMostBytes = std::size_t{1} << 20;
constexpr std::size_t kMostValues = 4'000'000;

Context one_thread() {
  static const auto threads = std::make_shared<const Threads>(1);
  Context context;
  context.threads = threads;
  return context;
}

std::string repeated(std::string_view head, std::string_view lines, std::size_t times) {
  std::string text(head);
  for (std::size_t i = 0; i < times; ++i) text += lines;
  return text;
}

// Rows of a text, nothing where the reader refuses it.
template <typename Read>
std::optional<std::size_t> num_rows(Read&& read, const std::string& text) {
  try {
    return read(text);
  } catch (const Error&) {
    return std::nullopt;
  }
}

template <typename Read>
void check(Read&& read, std::string_view head, std::string_view lines, std::size_t times) {
  const std::optional<std::size_t> once = num_rows(read, repeated(head, lines, 1));
  if (!once) return;
  const std::optional<std::size_t> often = num_rows(read, repeated(head, lines, times));
  if (!often || *often != times * *once) std::abort();
}

// Ids may stand for gigabytes of matrix.
bool is_narrow(std::string_view text, std::size_t times) {
  std::uint64_t largest = 0;
  std::uint64_t number = 0;
  for (const char c : text) {
    if (c == ':') largest = std::max(largest, number);
    number = c >= '0' && c <= '9' ? std::min<std::uint64_t>(number * 10 + (c - '0'), 1U << 30) : 0;
  }
  const auto num_lines = static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
  return times * num_lines * (largest + 1) < kMostValues;
}

// Every repetition has queries of its own, for a document occurs once in a query.
std::string repeated_queries(std::string_view lines, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) {
    for (std::size_t begin = 0; begin < lines.size();) {
      const std::size_t end = std::min(lines.find('\n', begin), lines.size() - 1) + 1;
      const std::string_view line = lines.substr(begin, end - begin);
      begin = end;
      if (line.find_first_not_of(" \t\r\n") == std::string_view::npos) continue;
      text += fmt::format("{}_{}", i, line);
    }
  }
  return text;
}

void check_trec(std::string_view lines, std::size_t times) {
  const auto compare = [&](auto&& read) {
    const auto once = num_rows(read, repeated_queries(lines, 1));
    if (once && num_rows(read, repeated_queries(lines, times)) != times * *once) std::abort();
  };
  compare([](const std::string& text) { return parse_qrels(text, "f").grades.size(); });
  compare([](const std::string& text) { return parse_run(text, "f").scores.size(); });
}

// Packed whole, and as as many members as there are repetitions.
void check_packed(std::string_view lines, std::size_t times, const Context& context) {
  const std::string text = repeated("", lines, times);
  for (const auto& [compression, packing] :
       {std::pair{Compression::kGzip, Packing::kGzip}, {Compression::kZstd, Packing::kZstd}}) {
    const std::string members =
        repeated("", compress(std::string(lines), compression), std::min<std::size_t>(times, 64));
    const std::string_view expected =
        std::string_view(text).substr(0, std::min<std::size_t>(times, 64) * lines.size());
    if (decompress(members, packing, "f", context).view() != expected) std::abort();
    const std::string whole = compress(std::string(text), compression);
    if (decompress(whole, packing, "f", context).view() != text) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3) return 0;
  std::string lines(reinterpret_cast<const char*>(data + 2), size - 2);
  if (lines.starts_with('\xef')) return 0;  // a byte order mark has its place at the beginning
  if (!lines.ends_with('\n')) lines += '\n';
  const std::size_t times =
      std::min(std::size_t{1} << (data[1] % 16), kMostBytes / lines.size()) + 1;
  const std::size_t chunk = std::size_t{64} << (data[0] / 5 % 8);
  const Context context = one_thread();
  if (data[0] % 5 == 4) {
    check_packed(lines, times, context);
  } else if (data[0] % 5 == 3) {
    check_trec(lines, times);
  } else if (data[0] % 5 == 0) {
    if (!is_narrow(lines, times)) return 0;
    check(
        [&](const std::string& text) {
          return parse_svmlight(text, "f", {}, context, chunk).num_rows();
        },
        "", lines, times);
  } else if (data[0] % 5 == 1) {
    const std::size_t end = lines.find('\n') + 1;
    const std::string_view head = std::string_view(lines).substr(0, end);
    if (head.find_first_of("\"\r") != std::string_view::npos || head.size() * times > kMostValues)
      return 0;
    check(
        [&](const std::string& text) { return parse_csv(text, "f", ',', {}, context).num_rows(); },
        head, std::string_view(lines).substr(end), times);
  } else {
    const auto num_lines = static_cast<std::size_t>(std::ranges::count(lines, '\n'));
    const auto read = [&](const std::string& text) {
      const std::size_t wanted = text.size() / lines.size() * num_lines;
      return parse_scores(text, "f", wanted).size();
    };
    check(read, "", lines, times);
  }
  return 0;
}
