#include "glassrank/models/io/json_text.h"

#include <string>
#include <vector>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

constexpr std::string_view kInfinityWord = "Infinity";
constexpr std::string_view kStandIn = "1e39    ";
static_assert(kInfinityWord.size() == kStandIn.size());

// Puts the stand-in for every Infinity outside of strings.
std::string without_infinity(std::string_view text) {
  std::string out(text);
  bool in_string = false;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (in_string && out[i] == '\\') {
      ++i;
    } else if (out[i] == '"') {
      in_string = !in_string;
    } else if (!in_string && out[i] == 'I' &&
               out.compare(i, kInfinityWord.size(), kInfinityWord) == 0) {
      out.replace(i, kStandIn.size(), kStandIn);
    }
  }
  return out;
}

// Refuses depth and width before the parser, which would build them, sees the text. Brackets that
// do not match are the parser's to report.
void check_limits(std::string_view text, std::size_t most_depth) {
  std::vector<std::size_t> num_keys;  // of every open object or array
  for (std::size_t i = 0; i < text.size(); ++i) {
    switch (text[i]) {
      case '"':
        for (++i; i < text.size() && text[i] != '"'; ++i) i += text[i] == '\\' ? 1 : 0;
        break;
      case '[':
      case '{':
        num_keys.push_back(0);
        if (num_keys.size() > most_depth) {
          fail(ErrorKind::kInput, "JSON is nested deeper than {} levels", most_depth);
        }
        break;
      case ']':
      case '}':
        if (!num_keys.empty()) num_keys.pop_back();
        break;
      case ':':
        if (!num_keys.empty() && ++num_keys.back() > kMaxJsonKeys) {
          fail(ErrorKind::kInput, "a JSON object has more than {} keys", kMaxJsonKeys);
        }
        break;
      default:
        break;
    }
  }
}

// "[json.exception.parse_error.101] parse error at line 1, column 5: x" -> "line 1, column 5: x".
std::string plain_message(std::string_view message) {
  const std::size_t place = message.find("line ");
  return std::string(place == std::string_view::npos ? message : message.substr(place));
}

}  // namespace

Json parse_json_text(std::string_view text, std::size_t most_depth) {
  check_limits(text, most_depth);
  try {
    if (text.find(kInfinityWord) == std::string_view::npos) return Json::parse(text);
    return Json::parse(without_infinity(text));
  } catch (const Json::exception& error) {
    throw Error(ErrorKind::kInput, plain_message(error.what()));
  }
}

const Json& member(const Json& object, std::string_view key) {
  if (!object.is_object()) fail(ErrorKind::kInput, "an object with '{}' is expected", key);
  const auto found = object.find(key);
  if (found == object.end()) fail(ErrorKind::kInput, "'{}' is missing", key);
  return *found;
}

const Json& array_member(const Json& object, std::string_view key) {
  const Json& array = member(object, key);
  if (!array.is_array()) fail(ErrorKind::kInput, "'{}' is not an array", key);
  return array;
}

}  // namespace glassrank
