#pragma once
// Text as part of SVG or HTML.

#include <string>
#include <string_view>

namespace glassrank {

// & < > " as entities.
std::string escape_html(std::string_view text);

}  // namespace glassrank
