#include "glassrank/explain/audit/audit_method.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/explain/registry.h"

namespace glassrank {

void AuditMethod::visit(ParamVisitor& visitor) {
  explainer->visit(visitor);
  if (aggregates()) aggregation.visit(visitor);
}

AuditMethod parse_audit_method(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string name = equals == std::string::npos ? text : text.substr(equals + 1);
  const std::string label = text.substr(0, equals);
  if (label.empty() || label.find('.') != std::string::npos) {
    fail(ErrorKind::kUsage, "method '{}': a label in front of '=' has letters and no dot", text);
  }
  return {.label = label, .explainer = make_explainer(name), .aggregation = {}};
}

void AuditMethods::choose(const std::vector<std::string>& texts) {
  std::vector<AuditMethod> chosen;
  for (const std::string& text : texts) {
    const auto known = std::ranges::find(texts_, text);
    chosen.push_back(known == texts_.end()
                         ? parse_audit_method(text)
                         : AuditMethod{.label = methods_[known - texts_.begin()].label,
                                       .explainer = nullptr,
                                       .aggregation = {}});
  }
  check_methods(chosen);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (chosen[i].explainer != nullptr) continue;
    chosen[i] = std::move(methods_[std::ranges::find(texts_, texts[i]) - texts_.begin()]);
  }
  texts_ = texts;
  methods_ = std::move(chosen);
}

void AuditMethods::visit(ParamVisitor& visitor) {
  for (AuditMethod& method : methods_) {
    visitor.section(method.label);
    visitor.group(method.label, method);
  }
}

std::vector<ParamUse> AuditMethods::uses() const {
  std::vector<ParamUse> uses;
  for (const AuditMethod& method : methods_) {
    add_group_uses(uses, method.label + ".", method.explainer->uses());
  }
  return uses;
}

void AuditMethods::visit_explainers(ParamVisitor& visitor) {
  for (AuditMethod& method : methods_) {
    visitor.section(method.label);
    visitor.group(method.label, *method.explainer);
  }
}

void check_methods(std::span<const AuditMethod> methods) {
  if (methods.empty()) fail(ErrorKind::kUsage, "an audit needs at least one explainer");
  std::set<std::string> labels;
  for (const AuditMethod& method : methods) {
    if (labels.insert(method.label).second) continue;
    fail(ErrorKind::kUsage, "two methods are called '{}'; give one of them a label, as in other={}",
         method.label, method.label);
  }
}

void set_num_chosen(Explainer& explainer, std::size_t k) {
  ParamLister lister;
  explainer.visit(lister);
  const auto info = std::ranges::find(lister.infos, "k", &ParamInfo::name);
  if (info == lister.infos.end()) return;
  const double most = std::min(static_cast<double>(k), info->range.high);
  ParamSetter setter("k", {fmt::format("{}", most)});
  explainer.visit(setter);
}

}  // namespace glassrank
