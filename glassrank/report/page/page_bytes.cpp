// The page as part of the program. Apart from report_page.cpp because it is compiled anew whenever
// the page changes, and takes no time at all.

#include <cstddef>
#include <string_view>

// The file's bytes, put between two labels by the assembler. A build without the file fails.
__asm__(
    ".section .rodata\n"
    ".global glassrank_page_begin\n"
    ".global glassrank_page_end\n"
    "glassrank_page_begin:\n"
    ".incbin \"" GLASSRANK_PAGE_FILE
    "\"\n"
    "glassrank_page_end:\n"
    ".byte 0\n"
    ".previous\n");

extern "C" {
extern const char glassrank_page_begin[];
extern const char glassrank_page_end[];
}

namespace glassrank {

std::string_view page_template() {
  return {glassrank_page_begin,
          static_cast<std::size_t>(glassrank_page_end - glassrank_page_begin)};
}

}  // namespace glassrank
