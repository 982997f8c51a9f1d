#include "glassrank/boosting/tree_backend.h"

#include "glassrank/boosting/cpu_backend.h"

namespace glassrank {

// To add a backend: 1. implement TreeBackend in a file of its own, beside cpu_backend.cpp;
// 2. choose it here; 3. grow trees with it in tree_backend_test.cpp, beside the naive one.
std::unique_ptr<TreeBackend> make_tree_backend(const BackendTask& task, const BoosterParams& params,
                                               const Context& context) {
  return make_cpu_backend(task, params, context);
}

}  // namespace glassrank
