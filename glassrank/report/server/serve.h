#pragma once
// glassrank serve: a model behind HTTP, with the report's page live.
//
// The API answers at once; the page is made beside it. Ends when the context is stopped.

#include <functional>
#include <string>

#include "glassrank/base/context.h"
#include "glassrank/base/params.h"
#include "glassrank/base/result.h"
#include "glassrank/report/bundle/make_bundle.h"

namespace glassrank {

struct ServeParams {
  std::string host = "127.0.0.1";
  int port = 8080;
  std::string token;
  std::string token_file;
  std::string max_body = "16M";
  int max_documents = 10'000;
  double seconds = 30;
  double head_seconds = 5;
  int max_clients = 256;
  bool page = true;

  void visit(ParamVisitor& visitor);
};

// Where a server listens, and to what.
struct ServerAddress {
  std::string address;
  std::string model;
  bool asks_token = false;

  void visit(ResultVisitor& visitor) const;
};

// `task` has one model; without data only scores are given. Calls `is_listening` once clients can
// come. Throws Error{kIo} when it cannot listen there, Error{kUsage} for parameters that do not
// fit.
void serve(const ReportTask& task, const ServeParams& params, const ReportParams& report,
           const std::function<void(const ServerAddress&)>& is_listening, const Context& context);

}  // namespace glassrank
