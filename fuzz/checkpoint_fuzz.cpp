// Any bytes as a checkpoint, as the state within one whose checksum is right, and as what a method
// reads from its state. Each is an Error or can be read to its end.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/data/io/checksum.h"
#include "glassrank/methods/training/state_archive.h"
#include "glassrank/methods/training/training_checkpoint.h"

namespace glassrank {
namespace {

const Provenance kRun = {{"seed", "1"}};

template <typename Call>
void allow_errors(Call&& call) {
  try {
    call();
  } catch (const Error&) {
    return;
  }
}

std::string sealed(std::string_view bytes) {
  return fmt::format(
      "glassrank training state 1\n"
      "{{\"provenance\":[[\"seed\",\"1\"]],\"num_bytes\":{},\"checksum\":\"{:016x}\"}}\n{}",
      bytes.size(), checksum(bytes), bytes);
}

// Members of every kind that an archive knows.
void read_archive(std::string_view bytes) {
  StateArchive state{std::string(bytes)};
  std::uint64_t number = 0;
  std::string text;
  std::vector<double> values;
  std::vector<std::string> names;
  std::vector<std::vector<std::uint32_t>> rows;
  state(number, text, values, names, rows);
}

void fuzz(std::string_view bytes) {
  allow_errors([&] { parse_checkpoint(bytes, "f", kRun); });
  allow_errors([&] { read_archive(bytes); });
  const TrainingState state = parse_checkpoint(sealed(bytes), "f", kRun);
  if (state.bytes != bytes) std::abort();
}

}  // namespace
}  // namespace glassrank

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  glassrank::fuzz({reinterpret_cast<const char*>(data), size});
  return 0;
}
