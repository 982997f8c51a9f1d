#pragma once
// What `glassrank inspect` says of a model by its kind: size and trees of a forest, effects of an
// additive model, weights, layers. Every kind has its own report_of() (kind.h).

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "glassrank/base/context.h"
#include "glassrank/base/result.h"
#include "glassrank/models/model.h"

namespace glassrank {

class Dataset;

struct ReportRequest {
  std::span<const std::string> names = {};  // one per feature
  const Dataset* data = nullptr;            // gives the cells of tables their weights; may be null
  std::span<const std::size_t> trees = {};  // to show
  std::size_t top = 20;                     // effects or weights to list; 0: all
  // Draws an effect, which has this place by importance, and says in which file. Empty: none.
  std::function<std::string(const Gam& gam, std::size_t effect, std::size_t place)> draw = {};
};

class KindReport {
 public:
  virtual ~KindReport() = default;
  virtual std::string objective() const = 0;
  // The size of the model; then its trees, effects or weights.
  virtual void visit_facts(ResultVisitor& visitor) const = 0;
  virtual void visit_parts(ResultVisitor& /*visitor*/) const {}
  // The same for people: lines of name and value; the parts, each behind a blank line.
  virtual NamedTexts lines() const = 0;
  virtual std::string parts_text() const { return ""; }
};

// Throws Error{kUsage} for a tree that is not there. Draws what it is asked to.
std::unique_ptr<KindReport> report_of(const Model& model, const ReportRequest& request,
                                      const Context& context);
// The keys of every kind, as tables: docs/reference/results.md.
std::string kind_results_markdown();

}  // namespace glassrank
