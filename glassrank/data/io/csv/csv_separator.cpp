#include "glassrank/data/io/csv/csv_separator.h"

#include <array>
#include <cctype>
#include <string>
#include <utility>

#include "glassrank/base/error.h"
#include "glassrank/data/io/csv/csv_cells.h"
#include "glassrank/data/io/text_place.h"
#include "glassrank/data/io/unpacked_stream.h"

namespace glassrank {
namespace {

constexpr std::string_view kCandidates = ",;\t|";

constexpr std::array<std::pair<std::string_view, char>, 5> kSeparatorNames = {
    {{"comma", ','}, {"semicolon", ';'}, {"tab", '\t'}, {"\\t", '\t'}, {"pipe", '|'}}};

bool can_separate(char c) {
  constexpr std::string_view kNever("\"\r\n.+-\0", 7);
  return std::isalnum(static_cast<unsigned char>(c)) == 0 && kNever.find(c) == kNever.npos;
}

}  // namespace

char named_separator(std::string_view delimiter, char found) {
  if (delimiter == kFound) return found;
  for (const auto& [name, separator] : kSeparatorNames) {
    if (delimiter == name) return separator;
  }
  if (delimiter.size() != 1 || !can_separate(delimiter[0])) {
    fail(ErrorKind::kUsage,
         "delimiter {} cannot separate columns; it is tab, comma, semicolon, pipe or one character "
         "that is no letter, digit, quote, point or sign",
         quote_text(delimiter));
  }
  return delimiter[0];
}

char find_separator(std::string_view text) {
  const char* const end = text.data() + text.size();
  const char* p = skip_empty_csv_records(text.data(), end);
  std::array<std::size_t, kCandidates.size()> counts{};
  bool is_quoted = false;
  for (; p != end && (is_quoted || !at_csv_record_end(p, end)); ++p) {
    if (*p == '"') is_quoted = !is_quoted;
    const std::size_t candidate = kCandidates.find(*p);
    if (!is_quoted && candidate != kCandidates.npos) ++counts[candidate];
  }
  std::size_t best = 0;
  for (std::size_t i = 1; i < counts.size(); ++i) {
    if (counts[i] > counts[best]) best = i;
  }
  return kCandidates[best];
}

char separator_of(const InputText& input, char separator) {
  if (separator != kAnySeparator) return separator;
  if (input.packing() == Packing::kNone) return find_separator(skip_byte_order_mark(input.text()));
  // The line end of a header of this size may be missing; most of its columns are there.
  constexpr std::size_t kLookedAt = std::size_t{1} << 16;
  std::string head;
  UnpackedStream(input).read_more(head, kLookedAt);
  return find_separator(head);
}

char separator_of(std::string_view text, DataFormat format, const ReadParams& params) {
  const char separator =
      named_separator(params.delimiter, format == DataFormat::kTsv ? '\t' : kAnySeparator);
  return separator == kAnySeparator ? find_separator(skip_byte_order_mark(text)) : separator;
}

}  // namespace glassrank
