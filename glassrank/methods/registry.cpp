// To add a method: 1. its folder, with a class derived from Method (method.h) and a function that
// makes it; 2. the function's declaration in registry.h and a line below; 3. its page in
// docs/methods. Everything else follows.

#include "glassrank/methods/registry.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "glassrank/base/error.h"
#include "glassrank/base/suggest.h"

namespace glassrank {

std::span<const MethodInfo> method_table() {
  static constexpr std::array<MethodInfo, 4> kMethods = {{
      {"lambdamart", "boosted trees on ranking gradients", [] { return make_lambdamart({}); }},
      {"ilmart", "a glass box: LambdaMART of one feature a tree, then of a few chosen pairs",
       [] { return make_ilmart({}); }},
      {"ebm", "a glass box: bags of curves boosted in turn, and surfaces chosen by FAST",
       [] { return make_ebm({}); }},
      {"rankgam", "a glass box: a small network a feature, trained for NDCG",
       [] { return make_rankgam({}); }},
  }};
  return kMethods;
}

std::unique_ptr<Method> make_method(std::string_view name) {
  const auto found = std::ranges::find(method_table(), name, &MethodInfo::name);
  if (found != method_table().end()) return found->make();
  std::vector<std::string> known;
  for (const MethodInfo& info : method_table()) known.emplace_back(info.name);
  throw Error(ErrorKind::kUsage, unknown_name_message("method", std::string(name), known));
}

}  // namespace glassrank
