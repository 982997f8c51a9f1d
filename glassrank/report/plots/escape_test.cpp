#include "glassrank/report/plots/escape.h"

#include <gtest/gtest.h>

namespace glassrank {
namespace {

TEST(EscapeHtml, LeavesNoMarkup) {
  EXPECT_EQ(escape_html("a<b> & \"c\""), "a&lt;b&gt; &amp; &quot;c&quot;");
}

}  // namespace
}  // namespace glassrank
