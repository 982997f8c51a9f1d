#include "glassrank/explain/registry.h"

#include <algorithm>
#include <string>
#include <vector>

#include "glassrank/base/error.h"
#include "glassrank/base/suggest.h"

namespace glassrank {

// To add an explainer: explainer.h.
std::span<const ExplainerInfo> explainer_table() { return {}; }

std::unique_ptr<Explainer> make_explainer(std::string_view name) {
  const auto found = std::ranges::find(explainer_table(), name, &ExplainerInfo::name);
  if (found != explainer_table().end()) return found->make();
  std::vector<std::string> known;
  for (const ExplainerInfo& info : explainer_table()) known.emplace_back(info.name);
  throw Error(ErrorKind::kUsage, unknown_name_message("explainer", std::string(name), known));
}

}  // namespace glassrank
