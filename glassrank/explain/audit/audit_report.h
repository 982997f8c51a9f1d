#pragma once
// The tables of an audit as a person reads them. The best of a measure is marked: `*` where it
// differs significantly from every other, and `=` beside those that do not differ from the best.

#include <string>

#include "glassrank/explain/audit/audit_result.h"

namespace glassrank {

std::string audit_text(const AuditResult& result);

}  // namespace glassrank
