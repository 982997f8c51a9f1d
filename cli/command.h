#pragma once
// A command of the program: its options as parameters, its work as one function.
//
// To add a command: 1. write cli/<name>.cpp with a class derived from Command; 2. declare its maker
// in cli/registry.h and list it in cli/registry.cpp; 3. run tools/generate_reference.py.
// Options are declared in visit() like any other parameters; underscores become dashes
// ("per_query" is --per-query on the command line and per_query in a config file).

#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/param_uses.h"
#include "glassrank/base/params.h"

namespace glassrank::cli {

// Where a command's results go.
struct Output {
  std::ostream& out;  // results only; messages and progress go to the Context's sinks
  bool json = false;  // one JSON document instead of text
};

// A file and how the user gave it: "--out", "the checkpoint beside --out".
struct NamedFile {
  std::string option;
  std::string path;
};

class Command {
 public:
  virtual ~Command() = default;
  virtual std::string name() const = 0;     // "evaluate", "data stats"
  virtual std::string summary() const = 0;  // one line
  virtual std::vector<std::string> examples() const { return {}; }
  virtual void visit(ParamVisitor& visitor) = 0;
  // The parameter whose value decides which other parameters there are, if there is one (train's
  // method), the values it may have, and its value: told before any other parameter is set.
  virtual std::string selector() const { return {}; }
  virtual std::vector<std::string> selections() const { return {}; }
  virtual void select(const std::string& /*value*/) {}
  // What is selected when nobody says so but gives another parameter: {"command", "kernel-shap"}.
  virtual std::pair<std::string, std::string> selection_with() const { return {}; }
  // The present name of a parameter that had another one before; empty: it has the name given.
  virtual std::string present_name(const std::string& /*name*/) { return {}; }
  // The option that names a file with another program's settings, if there is one, and these in our
  // parameters. They come before --config and the command line.
  virtual std::string import_option() const { return {}; }
  virtual std::vector<ParamAssignment> import_settings(const std::string& /*path*/) { return {}; }
  // Told the parameters that the command line names, by options or --set, whatever their values.
  // Config files do not count: they may hold the defaults of everything.
  virtual void read_given(const std::vector<std::string>& /*names*/) {}
  // Which of its options mean something only beside others, asked once everything is set. Given on
  // the command line elsewhere they are refused.
  virtual std::vector<ParamUse> uses() const { return {}; }
  // Files that it will write and that no parameter names: they stand beside or below one that does.
  virtual std::vector<NamedFile> files_beside() const { return {}; }
  // The keys of what --json prints, as a table (base/result.h); for docs/reference/results.md.
  virtual std::string results() const { return {}; }
  // Throws Error; returns nothing else than success.
  virtual void run(const Context& context, Output& output) = 0;
};

using CommandList = std::vector<std::unique_ptr<Command>>;

}  // namespace glassrank::cli
