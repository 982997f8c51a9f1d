// The program: parses arguments, runs one command, turns errors into messages and exit codes.
// Exit codes: 0 done, 1 failed, 2 usage, 130 stopped by Ctrl-C.

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>

#include <fmt/format.h>

#include "cli/arguments.h"
#include "cli/registry.h"
#include "cli/terminal.h"
#include "glassrank/base/error.h"
#include "glassrank/base/simd.h"

namespace {

std::atomic<bool> stop_requested = false;
static_assert(std::atomic<bool>::is_always_lock_free);

// The first Ctrl-C asks the work to end cleanly; the second one ends the process.
void on_interrupt(int) { stop_requested.store(true); }

void install_signals() {
  // No SA_RESTART: a read that waits for a pipe must wake up and see the request.
  struct sigaction once{};
  once.sa_handler = on_interrupt;
  once.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &once, nullptr);
  sigaction(SIGTERM, &once, nullptr);
  std::signal(SIGPIPE, SIG_DFL);
  // Beyond a file size limit, write() should fail like any other write.
  std::signal(SIGXFSZ, SIG_IGN);
}

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
  context.stop = &stop_requested;
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

int run(int argc, const char* const* argv) {
  choose_instructions();
  const auto commands = glassrank::cli::all_commands();
  const auto parsed = glassrank::cli::parse_arguments(argc, argv, commands);
  if (parsed.command == nullptr) {
    std::cout << parsed.text;
  } else {
    glassrank::cli::Output output{.out = std::cout, .json = parsed.global.json};
    parsed.command->run(make_context(parsed.global), output);
  }
  std::cout.flush();
  if (!std::cout) glassrank::fail_errno("write to", "standard output");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  glassrank::cli::hold_standard_streams();
  install_signals();
  try {
    return run(argc, argv);
  } catch (const glassrank::Error& error) {
    glassrank::cli::print_message(fmt::format("glassrank: {}\n", error.what()));
    return exit_code(error.kind());
  } catch (const std::bad_alloc&) {
    glassrank::cli::print_message("glassrank: out of memory\n");
    return 1;
  } catch (const std::exception& error) {
    glassrank::cli::print_message(fmt::format("glassrank: internal error: {}\n", error.what()));
    return 1;
  }
}
