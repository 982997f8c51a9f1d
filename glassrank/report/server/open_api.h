#pragma once
// The description of the API (OpenAPI 3.1), made from the types of its requests and answers.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "glassrank/base/params.h"
#include "glassrank/base/result.h"

namespace glassrank {

struct ApiEntry {
  std::string_view method;
  std::string_view path;
  std::string_view summary;
  std::string_view media_type = "application/json";  // of the answer
  bool takes_documents = false;
  bool takes_binary = false;  // documents as float32 numbers, too
  std::vector<ParamInfo> params = {};
  void (*answer)(ResultVisitor&) = nullptr;  // visits an empty one; null: no fixed shape
};

std::string open_api_text(std::span<const ApiEntry> entries, bool asks_token);

}  // namespace glassrank
