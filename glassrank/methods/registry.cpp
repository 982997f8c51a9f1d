#include "glassrank/methods/registry.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <fmt/ranges.h>

#include "glassrank/base/error.h"
#include "glassrank/base/suggest.h"

namespace glassrank {

std::span<const MethodInfo> method_table() {
  static constexpr std::array<MethodInfo, 11> kMethods = {{
      {"lambdamart", "boosted trees on ranking gradients", [] { return make_lambdamart({}); }},
      {"ilmart", "a glass box: LambdaMART of one feature a tree, then of a few chosen pairs",
       [] { return make_ilmart({}); }},
      {"ebm", "a glass box: bags of curves boosted in turn, and surfaces chosen by FAST",
       [] { return make_ebm({}); }},
      {"rankgam", "a glass box: a small network a feature, trained for NDCG",
       [] { return make_rankgam({}); }},
      {"rankboost", "a glass box: votes of tests \"feature above threshold\", pair by pair",
       [] { return make_rankboost({}); }},
      {"linear", "a weighted sum of features: linear regression, or by a ranking loss",
       [] { return make_linear({}); }},
      {"coordinate-ascent", "a weighted sum of features that climbs a metric, weight by weight",
       [] { return make_coordinate_ascent({}); }},
      {"ranknet", "a neural network trained on pairs of documents",
       [] { return make_ranknet({}); }},
      {"mart", "boosted trees on the grades, whatever the query", [] { return make_mart({}); }},
      {"random-forest", "the mean of trees grown on shares of queries and features",
       [] { return make_random_forest({}); }},
      {"tree", "one regression tree on the grades", [] { return make_tree({}); }},
  }};
  return kMethods;
}

std::string methods_with(FunctionRef<bool(const MethodTraits&)> has) {
  std::vector<std::string_view> names;
  for (const MethodInfo& info : method_table()) {
    if (has(info.make()->traits())) names.push_back(info.name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

std::unique_ptr<Method> make_method(std::string_view name) {
  const auto found = std::ranges::find(method_table(), name, &MethodInfo::name);
  if (found != method_table().end()) return found->make();
  std::vector<std::string> known;
  for (const MethodInfo& info : method_table()) known.emplace_back(info.name);
  throw Error(ErrorKind::kUsage, unknown_name_message("method", std::string(name), known));
}

}  // namespace glassrank
