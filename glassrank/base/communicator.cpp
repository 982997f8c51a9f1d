#include "glassrank/base/communicator.h"

namespace glassrank {
namespace {

class Alone final : public Communicator {
 public:
  int size() const override { return 1; }
  int rank() const override { return 0; }
  void sum(std::span<double>) const override {}
  void sum(std::span<std::int32_t>) const override {}
  void sum(std::span<std::uint64_t>) const override {}
};

}  // namespace

std::shared_ptr<const Communicator> Communicator::alone() {
  static const auto communicator = std::make_shared<const Alone>();
  return communicator;
}

}  // namespace glassrank
