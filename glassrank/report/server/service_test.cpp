#include "glassrank/report/server/service.h"

#include <algorithm>
#include <cmath>
#include <thread>

#include <gtest/gtest.h>

#include "glassrank/base/error.h"
#include "glassrank/base/json.h"
#include "glassrank/data/synth/bookshop.h"
#include "glassrank/explain/explain_queries.h"
#include "glassrank/explain/registry.h"
#include "glassrank/methods/lambdamart/lambdamart.h"
#include "glassrank/models/scorer.h"

namespace glassrank {
namespace {

struct Shop {
  Bookshop data = make_bookshop({.queries = 12, .documents_per_query = 10, .books = 100}, 3);
  Model forest;
  std::unique_ptr<Api> api;
  std::unique_ptr<Service> service;

  explicit Shop(const ServiceParams& params = {}, bool has_data = true) {
    LambdamartParams training;
    training.boosting.num_trees = 10;
    training.boosting.num_leaves = 6;
    forest.body = train_lambdamart(data.train, nullptr, training, {}).forest;
    api = std::make_unique<Api>(ApiTask{.model = forest,
                                        .name = "trees",
                                        .format = "native",
                                        .size = "10 trees",
                                        .data = has_data ? data.test : Dataset(),
                                        .background = has_data ? data.train : Dataset()},
                                ApiParams{.explainer = "tree-shap"}, Context{});
    service = std::make_unique<Service>(*api, params, Context{});
  }
  HttpAnswer post(const std::string& path, const std::string& body,
                  const std::string& type = "application/json") {
    return service->answer({.method = "POST", .path = path, .content_type = type, .body = body});
  }
  HttpAnswer get(const std::string& path) {
    return service->answer({.method = "GET", .path = path});
  }
  std::string query() const { return data.test.queries().id(1); }
  std::string document(std::size_t d) const {
    return data.test.document_name(data.test.queries().rows(1).begin + d);
  }
};

Json json_of(const HttpAnswer& answer) {
  EXPECT_EQ(answer.status, 200) << answer.body;
  return Json::parse(answer.body);
}
std::string message_of(const HttpAnswer& answer) {
  return Json::parse(answer.body)["error"]["message"];
}

TEST(Service, ScoresDocumentsOfTheRequestAsTheScorerDoes) {
  Shop shop;
  const auto scorer = make_scorer(shop.forest);
  const RowRange rows = shop.data.test.queries().rows(1);
  Json body{{"documents", Json::array()}};
  std::vector<double> expected(rows.size());
  scorer->score({shop.data.test.row(rows.begin).data(), rows.size(), shop.data.test.num_features()},
                expected, {});
  std::string binary;
  for (std::size_t row = rows.begin; row < rows.end; ++row) {
    Json features = Json::array();
    for (const float value : shop.data.test.row(row)) {
      features.push_back(std::isnan(value) ? Json(nullptr) : Json(value));
    }
    const auto values = shop.data.test.row(row);
    binary.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
    body["documents"].push_back({{"features", features}});
  }
  const Json answer = json_of(shop.post("/v1/score", body.dump()));
  EXPECT_EQ(answer["scores"].get<std::vector<double>>(), expected);
  EXPECT_EQ(json_of(shop.post("/v1/score", binary, "application/octet-stream"))["scores"],
            answer["scores"]);
  EXPECT_EQ(json_of(shop.post("/v1/score", Json{{"query", shop.query()}}.dump()))["scores"],
            answer["scores"]);
  const auto ranks = answer["ranks"].get<std::vector<std::size_t>>();
  const auto best = std::ranges::max_element(expected) - expected.begin();
  EXPECT_EQ(ranks[static_cast<std::size_t>(best)], 1);
}

TEST(Service, ExplainsAsASessionDoes) {
  Shop shop;
  const auto scorer = make_scorer(shop.forest);
  const Subject subject{.scorer = *scorer, .model = &shop.forest, .background = shop.data.train};
  const ExplanationSession session(subject, shop.data.test, *make_explainer("tree-shap"), {}, {});
  const auto expected = session.explain(1, {.document = shop.document(2)}).front();
  Json answer = json_of(shop.post(
      "/v1/explain", Json{{"query", shop.query()}, {"document", shop.document(2)}}.dump()));
  EXPECT_EQ(answer, to_json(expected));
  const auto pair = session.explain(1, {.pair = {shop.document(0), shop.document(3)}}).front();
  answer = json_of(shop.post(
      "/v1/pair",
      Json{{"query", shop.query()}, {"document", shop.document(0)}, {"other", shop.document(3)}}
          .dump()));
  EXPECT_EQ(answer, to_json(pair));
  answer = json_of(shop.post("/v1/explain", Json{{"query", shop.query()}}.dump()));
  EXPECT_EQ(answer["explainer"], "greedy-cover-eps");
  EXPECT_EQ(answer["target"], "ranking");
}

TEST(Service, FindsWhatWouldLiftADocument) {
  Shop shop;
  const Json answer = json_of(shop.post(
      "/v1/counterfactual",
      Json{{"query", shop.query()}, {"document", "rank:3"}, {"top", 1}, {"max_features", 2}}
          .dump()));
  EXPECT_EQ(answer["rank_before"], 3);
  if (answer["is_reached"]) {
    EXPECT_EQ(answer["rank_after"], 1);
    EXPECT_LE(answer["changes"].size(), 2);
  }
}

TEST(Service, ErrorsAreTheEnginesWords) {
  Shop shop;
  EXPECT_EQ(message_of(shop.post("/v1/score", R"({"query": "nobody asked"})")).substr(0, 28),
            "unknown query 'nobody asked'");
  EXPECT_EQ(message_of(shop.post("/v1/score", "{}")),
            "give \"documents\", or \"query\", the id of one in the data");
  EXPECT_EQ(message_of(shop.post("/v1/score", R"({"quory": "x"})")),
            "unknown parameter 'quory'; did you mean 'query'?");
  EXPECT_EQ(message_of(shop.post("/v1/counterfactual", R"({"document": "rank:1"})")),
            "give \"above\", a document to pass, or \"top\", places to get into");
  EXPECT_EQ(shop.post("/v1/score", "{}", "text/plain").status, 415);
  EXPECT_EQ(shop.post("/v1/explain", "", "application/octet-stream").status, 415);
  EXPECT_EQ(shop.post("/v1/model", "{}").status, 405);
  EXPECT_EQ(shop.get("/v1/score").status, 405);
  EXPECT_EQ(shop.get("/../../etc/passwd").status, 404);
  EXPECT_EQ(
      shop.post("/v1/explain", Json{{"query", shop.query()}, {"document", "all"}}.dump()).status,
      400);
}

// A request of three documents, two of the same id.
Json twins(const Shop& shop) {
  Json body{{"query", "q"}, {"documents", Json::array()}};
  for (const std::size_t d : {0, 1, 2}) {
    Json features = Json::array();
    for (const float value : shop.data.test.row(d)) {
      features.push_back(std::isnan(value) ? Json(nullptr) : Json(value));
    }
    body["documents"].push_back({{"id", d == 1 ? "2" : "twin"}, {"features", features}});
  }
  return body;
}

TEST(Service, AnIdOfTwoDocumentsIsRefused) {
  Shop shop;
  Json body = twins(shop);
  const std::string message =
      "query q has 2 documents 'twin', at the places 1, 3; send the place, \"place:1\" for the "
      "first of them";
  body["document"] = "twin";
  EXPECT_EQ(message_of(shop.post("/v1/explain", body.dump())), message);
  body["top"] = 1;
  EXPECT_EQ(message_of(shop.post("/v1/counterfactual", body.dump())), message);
  body.erase("top");
  body["other"] = "2";
  EXPECT_EQ(message_of(shop.post("/v1/pair", body.dump())), message);
}

TEST(Service, APlaceTellsDocumentsOfOneIdApart) {
  Shop shop;
  Json body = twins(shop);
  const auto value_at = [&](const std::string& document) {
    body["document"] = document;
    return json_of(shop.post("/v1/explain", body.dump()))["value"].get<double>();
  };
  const auto scores = json_of(shop.post("/v1/score", twins(shop).dump()))["scores"];
  EXPECT_EQ(value_at("place:1"), scores[0].get<double>());
  EXPECT_EQ(value_at("place:3"), scores[2].get<double>());
  EXPECT_EQ(value_at("2"), scores[1].get<double>());  // the id goes before the place
  for (const char* wrong : {"place:0", "place:4", "place:", "place:1x"}) {
    body["document"] = wrong;
    EXPECT_EQ(message_of(shop.post("/v1/explain", body.dump())),
              std::string("query q has the places 1 to 3; there is no '") + wrong + "'");
  }
}

TEST(Service, WithoutDataOnlyScoresAreGiven) {
  Shop shop({}, false);
  EXPECT_EQ(message_of(shop.post("/v1/score", R"({"query": "q"})")),
            "the request has no \"documents\", and the server has no data to find a query in "
            "(glassrank serve --data FILE)");
  EXPECT_EQ(message_of(shop.post("/v1/explain", "{}")),
            "explanations need data that say what is usual (glassrank serve --data FILE)");
  EXPECT_EQ(shop.get("/").status, 404);
  EXPECT_FALSE(json_of(shop.get("/v1/model"))["has_data"]);
}

TEST(Service, RequestsWithoutTheTokenAreRefused) {
  Shop shop({.token = "secret-of-eight"});
  const auto ask = [&](const std::string& authorization, const std::string& path = "/v1/model",
                       const std::string& token = "") {
    return shop.service
        ->answer({.method = "GET", .path = path, .authorization = authorization, .token = token})
        .status;
  };
  EXPECT_EQ(ask(""), 401);
  EXPECT_EQ(ask("Bearer secret-of-seven"), 401);
  EXPECT_EQ(ask("Bearer secret-of-eigh"), 401);
  EXPECT_EQ(ask("Bearer secret-of-eight"), 200);
  EXPECT_EQ(ask("", "/v1/model", "secret-of-eight"), 401);  // only for the page
  EXPECT_EQ(ask("", "/", "secret-of-eight"), 404);          // there is none
  EXPECT_EQ(ask("", "/health"), 200);
  EXPECT_EQ(ask("", "/no-such-path"), 401);
  EXPECT_TRUE(is_same_secret("abc", "abc"));
  EXPECT_FALSE(is_same_secret("", ""));
  EXPECT_FALSE(is_same_secret("abcabc", "abc"));
}

TEST(Service, OtherNamesOfTheServerAreRefused) {
  Shop shop({.hosts = {"127.0.0.1", "localhost", "[::1]"}});
  const auto ask = [&](const std::string& host) {
    return shop.service->answer({.method = "GET", .path = "/v1/model", .host = host}).status;
  };
  EXPECT_EQ(ask("127.0.0.1:8080"), 200);
  EXPECT_EQ(ask("localhost"), 200);
  EXPECT_EQ(ask("[::1]:80"), 200);
  EXPECT_EQ(ask("evil.example:8080"), 403);
}

TEST(Service, ARequestWhoseTimeIsOverIsAnsweredSo) {
  Shop shop;
  shop.service->stop();  // as if the time of every request were over
  const HttpAnswer answer = shop.post("/v1/score", Json{{"query", shop.query()}}.dump());
  EXPECT_EQ(answer.status, 503) << answer.body;
  EXPECT_EQ(Json::parse(answer.body)["error"]["kind"], "time");
}

TEST(Deadlines, TellARequestThatItsTimeIsOver) {
  Deadlines deadlines;
  const Deadlines::Limit shortest(deadlines, std::chrono::milliseconds(1));
  const Deadlines::Limit longest(deadlines, std::chrono::hours(1));
  while (!shortest.stop()) std::this_thread::yield();
  EXPECT_FALSE(longest.stop());
  deadlines.stop_all();
  EXPECT_TRUE(longest.stop());
  EXPECT_TRUE(Deadlines::Limit(deadlines, std::chrono::hours(1)).stop());
}

TEST(Service, CountsWhatItDid) {
  Shop shop;
  shop.post("/v1/score", Json{{"query", shop.query()}}.dump());
  shop.get("/health");
  shop.get("/made-up");
  const std::string text = shop.get("/metrics").body;
  EXPECT_NE(text.find("glassrank_requests_total{route=\"/v1/score\",status=\"200\"} 1\n"),
            std::string::npos);
  EXPECT_NE(text.find("glassrank_requests_total{route=\"other\",status=\"404\"} 1\n"),
            std::string::npos);
  EXPECT_NE(text.find("glassrank_documents_scored_total 9\n"), std::string::npos);
  EXPECT_EQ(text.find("made-up"), std::string::npos);
}

// Follows a schema as far as the answers of this server go.
void expect_fits(const Json& schema, const Json& value, const std::string& where) {
  if (!schema.contains("type")) return;
  const Json types = schema["type"].is_array() ? schema["type"] : Json::array({schema["type"]});
  const std::string type = value.is_object()           ? "object"
                           : value.is_array()          ? "array"
                           : value.is_string()         ? "string"
                           : value.is_boolean()        ? "boolean"
                           : value.is_null()           ? "null"
                           : value.is_number_integer() ? "integer"
                                                       : "number";
  const bool fits = std::ranges::any_of(types, [&](const Json& each) {
    return each == type || (each == "number" && type == "integer");
  });
  EXPECT_TRUE(fits) << where << " is " << type << ", not " << types.dump();
  if (type == "array") {
    for (const Json& item : value) expect_fits(schema["items"], item, where + "[]");
  }
  if (type != "object" || !schema.contains("properties")) return;
  for (const Json& key : schema.value("required", Json::array())) {
    EXPECT_TRUE(value.contains(key.get<std::string>())) << where << " lacks " << key;
  }
  for (const auto& [key, member] : value.items()) {
    ASSERT_TRUE(schema["properties"].contains(key)) << where << " has " << key;
    expect_fits(schema["properties"][key], member, where + "." + key);
  }
}

TEST(Service, AnswersAreAsTheDescriptionSays) {
  Shop shop;
  const Json api = json_of(shop.get("/openapi.json"));
  const auto check = [&](const std::string& path, const char* method, const Json& answer) {
    expect_fits(
        api["paths"][path][method]["responses"]["200"]["content"]["application/json"]["schema"],
        answer, path);
  };
  const Json query{{"query", shop.query()}};
  check("/v1/score", "post", json_of(shop.post("/v1/score", query.dump())));
  check("/v1/explain", "post", json_of(shop.post("/v1/explain", query.dump())));
  Json pair = query;
  pair["document"] = "rank:1";
  pair["other"] = "rank:2";
  check("/v1/pair", "post", json_of(shop.post("/v1/pair", pair.dump())));
  Json rise = query;
  rise["document"] = "rank:2";
  rise["top"] = 1;
  check("/v1/counterfactual", "post", json_of(shop.post("/v1/counterfactual", rise.dump())));
  check("/v1/model", "get", json_of(shop.get("/v1/model")));
  check("/health", "get", json_of(shop.get("/health")));
  const Json& request = api["paths"]["/v1/counterfactual"]["post"]["requestBody"]["content"]
                           ["application/json"]["schema"]["properties"];
  EXPECT_EQ(request["max_features"]["default"], 3);
  EXPECT_TRUE(request.contains("documents"));
}

}  // namespace
}  // namespace glassrank
