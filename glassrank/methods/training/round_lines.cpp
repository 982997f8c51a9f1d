#include "glassrank/methods/training/round_lines.h"

#include <fmt/format.h>

namespace glassrank {
namespace {

// Lines of the log stand for the progress line.
Context shown(Context context, std::size_t log_every) {
  if (log_every > 0) context.progress_sink = nullptr;
  return context;
}

}  // namespace

RoundLines::RoundLines(const Context& context, const Setup& setup)
    : context_(context),
      log_every_(setup.log_every),
      prefix_(setup.name.empty() ? "" : setup.name + " "),
      progress_(shown(context, setup.log_every), setup.name.empty() ? "training" : setup.name,
                setup.unit, setup.most) {}

void RoundLines::show(std::size_t round, std::span<const std::string> names,
                      std::span<const double> values) {
  progress_.add(1);
  if (log_every_ == 0 || round % log_every_ != 0) return;
  std::string line = fmt::format("{}[{}]", prefix_, round);
  for (std::size_t m = 0; m < names.size(); ++m) {
    line += fmt::format("{} {}: {:.6f}", m == 0 ? "" : " ", names[m], values[m]);
  }
  context_.info(line);
}

}  // namespace glassrank
