#include "glassrank/models/io/json_text.h"

#include <string>
#include <vector>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

constexpr std::string_view kInfinity = "Infinity";
constexpr std::string_view kStandIn = "1e39    ";
static_assert(kInfinity.size() == kStandIn.size());

// Puts the stand-in for every Infinity outside of strings.
std::string without_infinity(std::string_view text) {
  std::string out(text);
  bool in_string = false;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (in_string && out[i] == '\\') {
      ++i;
    } else if (out[i] == '"') {
      in_string = !in_string;
    } else if (!in_string && out[i] == 'I' && out.compare(i, kInfinity.size(), kInfinity) == 0) {
      out.replace(i, kStandIn.size(), kStandIn);
    }
  }
  return out;
}

// Counts depth and keys while the text is parsed.
class Limits {
 public:
  bool operator()(int depth, Json::parse_event_t event, Json& /*parsed*/) {
    if (depth > kMaxJsonDepth) {
      fail(ErrorKind::kInput, "JSON is nested deeper than {} levels", kMaxJsonDepth);
    }
    const auto level = static_cast<std::size_t>(depth);
    if (num_keys_.size() <= level) num_keys_.resize(level + 1);
    if (event == Json::parse_event_t::object_start) num_keys_.resize(level + 2);
    if (event == Json::parse_event_t::object_start) num_keys_[level + 1] = 0;
    if (event == Json::parse_event_t::key && ++num_keys_[level] > kMaxJsonKeys) {
      fail(ErrorKind::kInput, "a JSON object has more than {} keys", kMaxJsonKeys);
    }
    return true;
  }

 private:
  std::vector<std::size_t> num_keys_;  // of the open object at each depth
};

// "[json.exception.parse_error.101] parse error at line 1, column 5: ..." -> "line 1, column 5:
// ...".
std::string plain_message(std::string_view message) {
  const std::size_t place = message.find("line ");
  return std::string(place == std::string_view::npos ? message : message.substr(place));
}

}  // namespace

Json parse_json_text(std::string_view text) {
  Limits limits;
  const auto check = [&limits](int depth, Json::parse_event_t event, Json& parsed) {
    return limits(depth, event, parsed);
  };
  try {
    if (text.find(kInfinity) == std::string_view::npos) return Json::parse(text, check);
    return Json::parse(without_infinity(text), check);
  } catch (const Json::exception& error) {
    throw Error(ErrorKind::kInput, plain_message(error.what()));
  }
}

}  // namespace glassrank
