#include "cli/program.h"

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>
#include <span>
#include <string>

#include <fmt/format.h>

#include "cli/arguments.h"
#include "cli/machines.h"
#include "cli/memory_limit.h"
#include "cli/registry.h"
#include "cli/signals.h"
#include "cli/terminal.h"
#include "glassrank/base/agree.h"
#include "glassrank/base/alike.h"
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

glassrank::Context make_context(const glassrank::cli::GlobalOptions& options,
                                const glassrank::cli::Machines& machines) {
  glassrank::Context context;
  const int threads =
      options.threads == 0 && machines.are_several() ? machines.num_threads() : options.threads;
  if (threads > 0) context.threads = std::make_shared<glassrank::Threads>(threads);
  context.seed = options.seed;
  context.stop = &glassrank::cli::stop_request();
  context.most_unpacked = glassrank::parse_byte_size(options.max_unpacked);
  context.memory = glassrank::parse_byte_size(options.memory);
  context.scratch = options.scratch;
  if (context.scratch.empty()) context.scratch = std::filesystem::temp_directory_path().string();
  context.communicator = machines.communicator();
  if (!context.communicator->is_first()) return context;
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

// A machine that does something else would leave the others waiting.
void check_several(const glassrank::cli::Machines& machines, const std::string& command) {
  if (!machines.are_several()) return;
  const glassrank::Setting setting("command", command);
  glassrank::require_alike(*machines.communicator(), std::span(&setting, 1));
  if (command == "train" || command.empty()) return;
  glassrank::fail(glassrank::ErrorKind::kUsage, "{} works on one machine; mpirun is for train",
                  command);
}

int run(int argc, const char* const* argv, glassrank::cli::Machines& machines,
        std::string& memory) {
  const auto commands = glassrank::cli::all_commands();
  const auto parsed = glassrank::agree(*machines.communicator(), [&] {
    choose_instructions();
    return glassrank::cli::parse_arguments(argc, argv, commands);
  });
  check_several(machines, parsed.command == nullptr ? "" : parsed.command->name());
  if (parsed.command == nullptr) {
    machines.out() << parsed.text;
  } else {
    memory = parsed.global.memory;
    const glassrank::Context context = glassrank::agree(*machines.communicator(), [&] {
      glassrank::cli::limit_memory(glassrank::parse_byte_size(memory));
      return make_context(parsed.global, machines);
    });
    glassrank::cli::Output output{.out = machines.out(), .json = parsed.global.json};
    for (const std::string& notice : parsed.notices) context.info(notice);
    parsed.command->run(context, output);
  }
  std::cout.flush();
  if (!std::cout) glassrank::fail_errno("write to", "standard output");
  return 0;
}

// What is to be said about an error that came up to here.
glassrank::cli::End end_of(const std::exception_ptr& error, const std::string& memory) {
  try {
    std::rethrow_exception(error);
  } catch (const glassrank::Error& e) {
    return {exit_code(e.kind()), fmt::format("glassrank: {}\n", e.what())};
  } catch (const std::bad_alloc&) {
    return {1, glassrank::cli::out_of_memory_text(memory)};
  } catch (const std::exception& e) {
    return {1, fmt::format("glassrank: internal error: {}\n", e.what())};
  }
}

int run_together(int argc, const char* const* argv) {
  std::string memory;  // as --memory gives it
  glassrank::cli::Machines machines;
  try {
    return machines.finish({run(argc, argv, machines, memory)});
  } catch (const std::exception&) {
    return machines.finish(end_of(std::current_exception(), memory));
  }
}

}  // namespace

namespace glassrank::cli {

int run_program(int argc, const char* const* argv) {
  hold_standard_streams();
  install_signals();
  try {
    return run_together(argc, argv);
  } catch (const std::exception&) {  // before the machines came together
    const End end = end_of(std::current_exception(), "");
    print_message(end.message);
    return end.exit_code;
  }
}

}  // namespace glassrank::cli
