#include "glassrank/models/kind_report.h"

#include <fmt/format.h>

namespace glassrank {
namespace {

template <typename Body>
std::string markdown_of(const Body& body) {
  const std::unique_ptr<KindReport> report = report_of(body, {}, {});
  const auto visit = [&](ResultVisitor& visitor) {
    report->visit_facts(visitor);
    report->visit_parts(visitor);
  };
  return fmt::format("\nOf a {}:\n\n{}", Body::kKind, result_markdown(visit));
}

template <typename... Bodies>
std::string markdown_of_all(const std::variant<Bodies...>&) {
  std::string text;
  ((text += markdown_of(Bodies{})), ...);
  return text;
}

}  // namespace

std::unique_ptr<KindReport> report_of(const Model& model, const ReportRequest& request,
                                      const Context& context) {
  return match(model, [&](const auto& body) { return report_of(body, request, context); });
}

std::string kind_results_markdown() { return markdown_of_all(Model{}.body); }

}  // namespace glassrank
