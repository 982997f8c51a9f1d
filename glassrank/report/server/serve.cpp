#include "glassrank/report/server/serve.h"

#include <atomic>
#include <exception>
#include <new>
#include <thread>

#include <fmt/format.h>

#include "glassrank/base/byte_size.h"
#include "glassrank/base/error.h"
#include "glassrank/base/mapped_file.h"
#include "glassrank/base/start_thread.h"
#include "glassrank/report/bundle/parts.h"
#include "glassrank/report/page/report_page.h"
#include "glassrank/report/server/api.h"
#include "glassrank/report/server/http_server.h"
#include "glassrank/report/server/service.h"

namespace glassrank {
namespace {

constexpr std::size_t kLeastToken = 8;

std::string token_of(const ServeParams& params) {
  if (params.token_file.empty()) return params.token;
  if (!params.token.empty()) {
    fail(ErrorKind::kUsage, "--token and --token-file exclude each other");
  }
  const MappedFile file(params.token_file);
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::string text(file.bytes().begin(), file.bytes().end());
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string checked_token(const ServeParams& params) {
  std::string token = token_of(params);
  const bool is_asked = !params.token.empty() || !params.token_file.empty();
  if (is_asked && token.size() < kLeastToken) {
    fail(ErrorKind::kUsage, "the token has {} characters; at least {} are needed", token.size(),
         kLeastToken);
  }
  return token;
}

bool is_loopback(const std::string& host) {
  return host == "localhost" || host == "::1" || host.starts_with("127.");
}

HttpLimits limits_of(const ServeParams& params) {
  return {.body_bytes = static_cast<std::size_t>(parse_byte_size(params.max_body)),
          .head_seconds = params.head_seconds,
          .seconds = params.seconds,
          .clients = params.max_clients};
}

// Of what the server refuses before a service sees it.
std::string refusal_text(int status, const std::string& message) {
  const char* kind = status == 408   ? "time"
                     : status == 413 ? "size"
                     : status == 431 ? "size"
                     : status == 405 ? "method"
                     : status == 503 ? "busy"
                                     : "request";
  return json_text(ErrorAnswer{.error = {.kind = kind, .message = message}});
}

// Makes the page beside the server that shows it.
class PageMaker {
 public:
  PageMaker(const ReportTask& task, const ReportParams& params, Service& service,
            const Context& context)
      : context_(context) {
    context_.stop = &is_over_;
    service.expect_page();
    try {
      thread_ = start_thread([this, &task, &params, &service] { make(task, params, service); });
    } catch (const Error& error) {
      give_up(service, error.what());
    }
  }
  ~PageMaker() {
    is_over_ = true;
    if (thread_.joinable()) thread_.join();
  }
  PageMaker(const PageMaker&) = delete;
  PageMaker& operator=(const PageMaker&) = delete;

 private:
  void make(const ReportTask& task, const ReportParams& params, Service& service) {
    try {
      ReportBundle bundle = make_bundle(task, params, context_);
      bundle.is_live = true;
      service.set_page(report_html(bundle));
      context_.info("the page is ready");
    } catch (const std::bad_alloc&) {
      give_up(service, "out of memory");
    } catch (const std::exception& error) {
      give_up(service, error.what());
    }
  }

  // The server goes on without the page. Throws nothing.
  void give_up(Service& service, const char* why) {
    if (is_over_) return;
    try {
      service.set_page_error(fmt::format("the page cannot be made: {}", why));
      context_.warn(fmt::format("there is no page: {}", why));
    } catch (const std::exception&) {
      service.set_page_error("out of memory");  // so short that it takes none
    }
  }

  Context context_;
  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

}  // namespace

void ServeParams::visit(ParamVisitor& visitor) {
  visitor.field("host", host, "address to listen on; 0.0.0.0 is every address of this machine");
  visitor.field("port", port, "port to listen on; 0 takes any free one",
                Range{.low = 0, .high = 65'535});
  visitor.field("token", token,
                "token that every request must send as 'Authorization: Bearer TOKEN'; other users "
                "of this machine can see it in the list of processes");
  visitor.field("token_file", token_file, "file with the token", {.file = FileUse::kInput});
  visitor.section("limits");
  visitor.field("max_body", max_body, "maximum size of a request", {.value_name = "SIZE"});
  visitor.field("max_documents", max_documents, "maximum number of documents in a request",
                Range{.low = 1, .high = 1e9});
  visitor.field("seconds", seconds, "maximum time for an answer",
                Range{.low = 0, .high = 86'400, .open_low = true});
  visitor.field("head_seconds", head_seconds,
                "maximum time that a client may take to send the head of a request",
                Range{.low = 0, .high = 3'600, .open_low = true});
  visitor.field("max_clients", max_clients, "maximum number of clients connected at a time",
                Range{.low = 1, .high = 10'000});
  visitor.section("page");
  visitor.field("page", page, "show the report at / (needs --data)");
}

void ServerAddress::visit(ResultVisitor& visitor) const {
  visitor.field("address", address, "of the page; the API is below it");
  visitor.field("model", model, "its name");
  visitor.field("asks_token", asks_token, "requests need a token");
}

void serve(const ReportTask& task, const ServeParams& params, const ReportParams& report,
           const std::function<void(const ServerAddress&)>& is_listening, const Context& context) {
  check_params(params);
  if (task.models.size() != 1) fail(ErrorKind::kUsage, "a server has one model");
  const ReportModel& model = task.models.front();
  const std::string token = checked_token(params);
  const bool has_data = task.data.num_rows() > 0;
  const Api api({.model = model.model,
                 .name = model.name,
                 .format = model.format,
                 .size = fmt::format("{} {}", num_parts_of(model.model), parts_of(model.model)),
                 .data = task.data,
                 .background = task.train.num_rows() > 0 ? task.train : task.data},
                {.explainer = explainers_for(report, model.model).front(),
                 .list_explainer = report.list_explainer,
                 .k = report.k,
                 .most_documents = static_cast<std::size_t>(params.max_documents)},
                context);
  ServiceParams asked{.token = token, .seconds = params.seconds, .hosts = {}};
  // A page of somebody else may reach a server of this machine under a name of its own.
  if (is_loopback(params.host)) asked.hosts = {"localhost", "127.0.0.1", "[::1]", params.host};
  Service service(api, asked, context);
  HttpServer server(
      limits_of(params), [&](const HttpRequest& request) { return service.answer(request); },
      refusal_text);
  const int port = server.listen(params.host, params.port);
  if (!is_loopback(params.host) && token.empty()) {
    context.warn(
        fmt::format("whoever reaches {}:{} can ask this server; --token-file FILE asks "
                    "for a secret",
                    params.host, port));
  }
  std::unique_ptr<PageMaker> page;
  if (has_data && params.page) page = std::make_unique<PageMaker>(task, report, service, context);
  const bool is_v6 = params.host.find(':') != std::string::npos;
  const std::string host = is_v6 ? fmt::format("[{}]", params.host) : params.host;
  is_listening({.address = fmt::format("http://{}:{}/", host, port),
                .model = model.name,
                .asks_token = !token.empty()});
  static const std::atomic<bool> kNever = false;
  server.run(context.stop != nullptr ? *context.stop : kNever, [&] {
    service.counts().set_clients(server.num_clients(), server.num_refused());
    if (context.is_stopped()) service.stop();
  });
}

}  // namespace glassrank
