#include "cli/program.h"

#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <string>

#include <fmt/format.h>

#include "cli/arguments.h"
#include "cli/memory_limit.h"
#include "cli/registry.h"
#include "cli/signals.h"
#include "cli/terminal.h"
#include "glassrank/base/byte_size.h"
#include "glassrank/base/error.h"
#include "glassrank/base/simd.h"

namespace {

int exit_code(glassrank::ErrorKind kind) {
  switch (kind) {
    case glassrank::ErrorKind::kUsage:
      return 2;
    case glassrank::ErrorKind::kInterrupted:
      return 130;
    default:
      return 1;
  }
}

glassrank::Context make_context(const glassrank::cli::GlobalOptions& options) {
  glassrank::Context context;
  if (options.threads > 0) context.threads = std::make_shared<glassrank::Threads>(options.threads);
  context.seed = options.seed;
  context.stop = &glassrank::cli::stop_request();
  context.most_unpacked = glassrank::parse_byte_size(options.max_unpacked);
  context.log_sink = glassrank::cli::make_terminal_log(options.quiet);
  if (!options.quiet) {
    context.progress_sink = glassrank::cli::make_terminal_progress();
  }
  return context;
}

// GLASSRANK_SIMD=plain|sse4|avx2|avx3: these vector instructions at most. Never changes a result.
void choose_instructions() {
  const char* name = std::getenv("GLASSRANK_SIMD");
  if (name == nullptr || *name == '\0') return;
  try {
    glassrank::limit_simd(glassrank::parse_simd_level(name));
  } catch (glassrank::Error& error) {
    error.add_context("GLASSRANK_SIMD");
    throw;
  }
}

int run(int argc, const char* const* argv, std::string& memory) {
  choose_instructions();
  const auto commands = glassrank::cli::all_commands();
  const auto parsed = glassrank::cli::parse_arguments(argc, argv, commands);
  if (parsed.command == nullptr) {
    std::cout << parsed.text;
  } else {
    memory = parsed.global.memory;
    glassrank::cli::limit_memory(glassrank::parse_byte_size(memory));
    glassrank::cli::Output output{.out = std::cout, .json = parsed.global.json};
    parsed.command->run(make_context(parsed.global), output);
  }
  std::cout.flush();
  if (!std::cout) glassrank::fail_errno("write to", "standard output");
  return 0;
}

}  // namespace

namespace glassrank::cli {

int run_program(int argc, const char* const* argv) {
  hold_standard_streams();
  install_signals();
  std::string memory;  // as --memory gives it
  try {
    return run(argc, argv, memory);
  } catch (const Error& error) {
    print_message(fmt::format("glassrank: {}\n", error.what()));
    return exit_code(error.kind());
  } catch (const std::bad_alloc&) {
    print_message(out_of_memory_text(memory));
    return 1;
  } catch (const std::exception& error) {
    print_message(fmt::format("glassrank: internal error: {}\n", error.what()));
    return 1;
  }
}

}  // namespace glassrank::cli
