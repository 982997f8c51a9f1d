#include "glassrank/methods/training/check_training.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/boosting/booster_params.h"
#include "glassrank/methods/cleaners/clean_params.h"
#include "glassrank/methods/lambdamart/sample_params.h"
#include "glassrank/methods/registry.h"
#include "glassrank/methods/training/pipeline.h"
#include "glassrank/models/io/formats.h"
#include "glassrank/objectives/registry.h"
#include "testing/message_of.h"
#include "testing/training_fixture.h"

namespace glassrank {
namespace {

using testing::set;

// A training that is right, with something changed.
struct Plan {
  std::unique_ptr<Method> method = make_pipeline("lambdamart");
  TrainFiles files = {.train = "train.txt", .valid = "valid.txt", .out = "model.glass"};
  TrainPlan plan = {};
};

template <typename Change>
std::string complaint(Change&& change, std::string_view method = "lambdamart") {
  Plan plan{.method = make_pipeline(method)};
  change(plan);
  return message_of([&] { check_training(*plan.method, plan.files, plan.plan); });
}

TEST(CheckTraining, HasNothingAgainstWhatGoesTogether) {
  for (const MethodInfo& info : method_table()) {
    SCOPED_TRACE(info.name);
    EXPECT_EQ(complaint([](Plan&) {}, info.name), "no error");
    if (param_value(*make_method(info.name), "learning_rate").empty()) continue;
    EXPECT_EQ(complaint(
                  [](Plan& p) {
                    p.files.valid.clear();
                    p.plan.num_folds = 5;
                    p.plan.search.ranges = {"learning_rate=0.1..0.2"};
                    p.files.given = {"search.trials"};
                    // Squared error is solved at once by linear.
                    if (p.method->objective() != nullptr) set(*p.method, "objective", "lambdarank");
                  },
                  info.name),
              "no error");
  }
}

TEST(CheckTraining, RefusesFormatsThatCannotHoldTheModel) {
  EXPECT_EQ(complaint([](Plan& p) { p.files.model_format = "letor"; }).substr(0, 16),
            "unknown model fo");
  for (const ModelFormat& format : model_formats()) {
    const std::string name(format.name);
    const auto change = [&](Plan& p) { p.files.model_format = name; };
    if (format.write == nullptr) {
      EXPECT_EQ(complaint(change),
                "models are not written as " + name + "; see glassrank list model-formats");
    } else if (format.body == FormatBody::kGam) {
      EXPECT_EQ(complaint(change),
                name + " holds additive models, which --method lambdamart does not give");
      EXPECT_EQ(complaint(change, "ebm"), "no error");
    } else {
      EXPECT_EQ(complaint(change), "no error");
    }
  }
}

TEST(CheckTraining, RefusesToGoOnWithMethodsThatCannot) {
  const auto change = [](Plan& p) { p.files.start_model = "other.glass"; };
  EXPECT_EQ(complaint(change), "no error");
  for (const char* method : {"ilmart", "ebm", "rankgam"}) {
    EXPECT_EQ(complaint(change, method),
              std::string("--start-model is for methods that add trees to those of any model; ") +
                  method + " cannot");
  }
}

TEST(CheckTraining, RefusesDataThatIsMissingOrTooMuch) {
  EXPECT_EQ(complaint([](Plan& p) { p.plan.num_folds = 3; }), "give --valid or --folds, not both");
  EXPECT_EQ(complaint([](Plan& p) {
              p.files.valid.clear();
              p.plan.search.ranges = {"num_leaves=2..4"};
            }),
            "--search needs --valid or --folds to compare by");
  for (const char* name : {"search.trials", "search.rungs"}) {
    EXPECT_EQ(complaint([&](Plan& p) { p.files.given = {name}; }),
              std::string("--") + name + " is for a search; --search says over what");
  }
  EXPECT_EQ(complaint([](Plan& p) { p.files.out.clear(); }),
            "--out is required: model file to write");
  EXPECT_EQ(complaint([](Plan& p) {
              p.files.out.clear();
              p.files.valid.clear();
              p.files.test = "test.txt";
              p.plan.num_folds = 3;
            }),
            "--test needs --out");
}

TEST(CheckTraining, RefusesOptionsOfOneTrainingForMany) {
  const std::pair<const char*, void (*)(Plan&)> options[] = {
      {"--resume", [](Plan& p) { p.plan.resumes = true; }},
      {"--learning-curve", [](Plan& p) { p.files.curve = "x"; }},
      {"--record", [](Plan& p) { p.files.record = "x"; }},
      {"--dropped", [](Plan& p) { p.files.dropped = "x"; }},
      {"--start-model", [](Plan& p) { p.files.start_model = "x"; }}};
  for (const auto& [name, give] : options) {
    EXPECT_EQ(complaint([&](Plan& p) {
                give(p);
                p.plan.search.ranges = {"num_leaves=2..4"};
              }),
              std::string(name) + " is for one training run; it does not go with --search");
    EXPECT_EQ(complaint([&](Plan& p) {
                give(p);
                p.files.valid.clear();
                p.plan.num_folds = 3;
              }),
              std::string(name) + " is for one training run; it does not go with --folds");
  }
}

TEST(CheckTraining, RefusesAShareOfBagsWithoutBags) {
  const char* message =
      "--valid-share is for bags, which hold out queries: give --bags N or --stop-on bag with it";
  for (const char* method : {"lambdamart", "ilmart"}) {
    const auto given = [](Plan& p) { p.files.given = {"valid_share"}; };
    EXPECT_EQ(complaint(given, method), message);
    for (const auto& [name, value] : {std::pair("bags", "2"), std::pair("stop_on", "bag")}) {
      EXPECT_EQ(complaint(
                    [&](Plan& p) {
                      given(p);
                      set(*p.method, name, value);
                    },
                    method),
                "no error");
    }
    for (const char* range : {"bags=1|4", "stop_on=bag|valid"}) {
      EXPECT_EQ(complaint(
                    [&](Plan& p) {
                      given(p);
                      p.plan.search.ranges = {range};
                    },
                    method),
                "no error");
    }
    EXPECT_EQ(complaint(
                  [&](Plan& p) {
                    given(p);
                    p.plan.search.ranges = {"num_leaves=2..4"};
                  },
                  method),
              message);
  }
  for (const char* method : {"ebm", "rankgam"}) {  // EBM has bags, RankGAM's share is another
    EXPECT_EQ(complaint([](Plan& p) { p.files.given = {"valid_share"}; }, method), "no error");
  }
}

TEST(CheckTraining, RefusesToStopWithoutData) {
  const auto with = [](const char* method, auto change) {
    return complaint(
        [&](Plan& p) {
          p.files.valid.clear();
          p.files.given = {"patience"};
          set(*p.method, "patience", "5");
          change(p);
        },
        method);
  };
  const auto nothing = [](Plan&) {};
  EXPECT_EQ(with("lambdamart", nothing),
            "--patience needs data to stop by: give --valid, --stop-on bag or --folds");
  EXPECT_EQ(with("ilmart",
                 [](Plan& p) {
                   p.files.given = {"min_delta"};
                   set(*p.method, "min_delta", "0.1");
                 }),
            "--min-delta needs data to stop by: give --valid, --stop-on bag or --folds");
  EXPECT_EQ(with("lambdamart", [](Plan& p) { set(*p.method, "stop_on", "bag"); }), "no error");
  EXPECT_EQ(with("lambdamart", [](Plan& p) { set(*p.method, "patience", "0"); }), "no error");
  EXPECT_EQ(with("lambdamart", [](Plan& p) { p.plan.num_folds = 3; }), "no error");
  EXPECT_EQ(with("lambdamart", [](Plan& p) { p.files.given.clear(); }), "no error");
  // These hold out queries by themselves.
  EXPECT_EQ(with("ebm", nothing), "no error");
  EXPECT_EQ(with("rankgam", nothing), "no error");
}

TEST(CheckTraining, RefusesCleaningsThatDoNotFit) {
  EXPECT_EQ(complaint([](Plan& p) { p.files.dropped = "x"; }), "--dropped needs --clean");
  const auto cleaned_folds = [](const char* cleaner, auto change) {
    return complaint([&](Plan& p) {
      set(*p.method, "clean.method", cleaner);
      p.files.valid.clear();
      p.plan.num_folds = 3;
      change(p);
    });
  };
  EXPECT_EQ(cleaned_folds("sour", [](Plan&) {}), "no error");
  EXPECT_EQ(
      cleaned_folds("sour", [](Plan& p) { p.plan.search.ranges = {"num_leaves=2..4"}; }),
      "--clean with --search and --folds cannot end in a model; leave out --out or use --valid");
  EXPECT_EQ(cleaned_folds("sour",
                          [](Plan& p) {
                            p.plan.search.ranges = {"num_leaves=2..4"};
                            p.files.out.clear();
                          }),
            "no error");
  EXPECT_EQ(cleaned_folds("last-sour", [](Plan&) {}),
            "--clean last-sour goes by validation data, and with --folds the model of --out has "
            "none; leave out --out or use --valid");
  EXPECT_EQ(cleaned_folds("last-sour", [](Plan& p) { p.files.out.clear(); }), "no error");
  EXPECT_EQ(cleaned_folds("sour", [](Plan& p) { set(*p.method, "clean.tune", "true"); }),
            "--tune goes by validation data, and with --folds the model of --out has none; leave "
            "out --out or use --valid");
}

TEST(CheckTraining, RefusesCleanersThatAMethodCannotFollow) {
  for (const CleanerInfo& cleaner : cleaner_table()) {
    for (const MethodInfo& info : method_table()) {
      const std::string found = complaint(
          [&](Plan& p) {
            set(*p.method, "clean.method", std::string(cleaner.name));
            set_param(*p.method, "clean.stages", {"20", "60"});
          },
          info.name);
      const bool shows_rounds = make_method(info.name)->traits().shows_rounds;
      if (shows_rounds || cleaner.method == CleanMethod::kIsolationForest) {
        EXPECT_EQ(found, "no error") << cleaner.name << " " << info.name;
      } else {
        EXPECT_EQ(found, "clean " + std::string(cleaner.name) +
                             " needs the rounds of boosted trees, and --method " +
                             std::string(info.name) +
                             " has none; use isolation-forest, or clean the data with glassrank "
                             "clean first");
      }
    }
  }
}

TEST(CheckTraining, RefusesOptionsThatNothingLooksAt) {
  using Values = std::vector<std::pair<const char*, const char*>>;
  const auto with = [](const Values& values, std::vector<std::string> given,
                       std::vector<std::string> ranges = {}) {
    return complaint([&](Plan& p) {
      for (const auto& [name, value] : values) set(*p.method, name, value);
      p.files.given = std::move(given);
      p.plan.search.ranges = std::move(ranges);
    });
  };
  EXPECT_EQ(with({}, {"sample.top"}),
            "--sample.top belongs to --sample.method goss, selective or high-low; here "
            "sample.method is none");
  EXPECT_EQ(with({{"sample.method", "selective"}}, {"sample.bottom"}),
            "--sample.bottom belongs to --sample.method high-low; here sample.method is selective");
  EXPECT_EQ(with({{"sample.method", "high-low"}}, {"sample.bottom", "sample.top"}), "no error");
  EXPECT_EQ(with({{"sample.method", "selective"}}, {"sample.window"}),
            "--sample.window belongs to --sample.adaptive fixed, ratio or mix; here "
            "sample.adaptive is none");
  EXPECT_EQ(with({{"clean.method", "sour"}}, {"clean.p"}),
            "--clean.p belongs to --clean.method p-sour; here clean.method is sour");
  EXPECT_EQ(with({{"clean.method", "last-sour"}}, {"clean.start"}),
            "--clean.start belongs to --clean.method sour, p-sour or curr-sour; here clean.method "
            "is last-sour");
  EXPECT_EQ(
      with({{"clean.method", "isolation-forest"}, {"clean.contamination", "0.1"}},
           {"clean.threshold", "clean.contamination"}),
      "--clean.threshold belongs to --clean.contamination 0; here clean.contamination is 0.1");
  EXPECT_EQ(with({{"objective", "squared_error"}}, {"sigma"}),
            "--sigma belongs to --objective lambdarank, peer or pairwise; here objective is "
            "squared_error");
  EXPECT_EQ(with({{"precision", "full"}}, {"active_share"}),
            "--active-share belongs to --precision fast; here precision is full");
  EXPECT_EQ(with({{"target", "map"}}, {"ideal_truncation"}),
            "--ideal-truncation belongs to --target ndcg; here target is map");
  EXPECT_EQ(with({}, {"gain_table"}), "--gain-table belongs to --gain table; here gain is exp");
  EXPECT_EQ(with({{"gain", "table"}, {"gain_table", "1"}}, {"gain_table"}), "no error");
  // What a search tries may be right; what it varies must count.
  EXPECT_EQ(with({}, {"sample.top"}, {"sample.method=none|selective"}), "no error");
  EXPECT_EQ(with({}, {}, {"sample.top=0.1..0.2"}),
            "--sample.top belongs to --sample.method goss, selective or high-low; here "
            "sample.method is none");
}

// Whoever adds a parameter says who looks at it.
TEST(CheckTraining, KnowsWhoLooksAtEveryParameter) {
  const std::vector<ParamInfo> infos = list_params(*make_pipeline("lambdamart"));
  const auto check = [&](std::span<const ParamUse> uses, const std::string& prefix,
                         const std::vector<std::string>& general) {
    for (const ParamInfo& info : infos) {
      if (prefix.empty() || !info.name.starts_with(prefix)) continue;
      const std::string name = info.name.substr(prefix.size());
      const bool is_listed = std::ranges::find(uses, name, &ParamUse::name) != uses.end();
      const bool is_general = std::ranges::find(general, name) != general.end();
      EXPECT_NE(is_listed, is_general) << info.name;
    }
    for (const ParamUse& use : uses) {
      const std::string needs = prefix + std::string(use.needs);
      const auto owner = std::ranges::find(infos, needs, &ParamInfo::name);
      ASSERT_NE(owner, infos.end()) << needs;
      EXPECT_NE(std::ranges::find(infos, prefix + std::string(use.name), &ParamInfo::name),
                infos.end())
          << use.name;
      for (const std::string_view value : use.values) {
        if (owner->choices.empty()) continue;
        EXPECT_NE(std::ranges::find(owner->choices, value), owner->choices.end()) << value;
      }
    }
  };
  check(sample_uses(), "sample.", {"method"});
  check(clean_uses(), "clean.", {"method", "tune"});
  check(objective_uses(), "", {});
  check(booster_uses(), "", {});
  check(watch_uses(), "", {});
}

TEST(CheckTraining, KnowsWhatMethodsLookAt) {
  for (const MethodInfo& info : method_table()) {
    const auto method = make_pipeline(info.name);
    const std::vector<ParamInfo> infos = list_params(*method);
    for (const ParamUse& use : method->uses()) {
      EXPECT_NE(std::ranges::find(infos, use.name, &ParamInfo::name), infos.end()) << use.name;
      EXPECT_NE(std::ranges::find(infos, use.needs, &ParamInfo::name), infos.end()) << use.needs;
    }
  }
}

TEST(CheckTraining, RefusesWhatAMethodAsItIsSetDoesNotLookAt) {
  const auto given = [](const char* name, const char* method, const char* param,
                        const char* value) {
    return complaint(
        [&](Plan& p) {
          set(*p.method, param, value);
          p.files.given = {name};
        },
        method);
  };
  for (const char* name : {"optimiser", "learning_rate", "epochs", "batch_queries"}) {
    EXPECT_NE(given(name, "linear", "objective", "squared_error"), "no error") << name;
    EXPECT_EQ(given(name, "linear", "objective", "lambdarank"), "no error") << name;
  }
  for (const char* name : {"heredity", "interaction_trees", "interaction_leaves", "purify",
                           "interaction_learning_rate", "pair_selection.method"}) {
    EXPECT_NE(given(name, "ilmart", "num_interactions", "0"), "no error") << name;
    EXPECT_EQ(given(name, "ilmart", "num_interactions", "3"), "no error") << name;
  }
}

TEST(CheckTraining, RefusesTextColumnsOfFormatsThatHaveNone) {
  EXPECT_EQ(complaint([](Plan& p) { p.files.given = {"for_text"}; }),
            "--for-text belongs to --model-format lightgbm or xgboost, not native");
  EXPECT_EQ(complaint([](Plan& p) {
              p.files.given = {"for_text"};
              p.files.model_format = "xgboost";
            }),
            "no error");
}

TEST(CheckTraining, RefusesParametersOfCategoriesWhereThereAreNone) {
  const std::vector<ParamInfo> infos = list_params(*make_pipeline("lambdamart"));
  Schema plain = Schema::of_features({"price", "colour"});
  Schema coloured = plain;
  coloured.set_category(1, {});
  for (const std::string_view name : category_params()) {
    EXPECT_NE(std::ranges::find(infos, name, &ParamInfo::name), infos.end()) << name;
    const TrainFiles files{.train = "train.txt", .given = {std::string(name)}};
    EXPECT_NE(message_of([&] { check_given(files, plain); }), "no error") << name;
    EXPECT_EQ(message_of([&] { check_given(files, coloured); }), "no error") << name;
  }
  EXPECT_EQ(message_of([&] {
              check_given({.train = "train.txt", .given = {"num_leaves", "cat_smooth"}}, plain);
            }),
            "--cat-smooth is for features of categories, and train.txt has none; "
            "--read.categorical names those that are");
  EXPECT_EQ(message_of([&] { check_given({.train = "train.txt", .given = {"l2"}}, plain); }),
            "no error");
}

TEST(CheckTraining, RefusesCallbacksThatAreNeverCalled) {
  const auto watched = [](Plan& p) {
    p.method->watch().after_round = [](const WatchedRound&) { return true; };
  };
  EXPECT_EQ(complaint(watched, "tree"),
            "callbacks come after rounds or epochs, and tree as it is set has none; methods that "
            "have: lambdamart, ilmart, ebm, rankgam, rankboost, coordinate-ascent, ranknet, mart, "
            "random-forest");
  EXPECT_NE(complaint(watched, "linear"), "no error");
  EXPECT_EQ(complaint(
                [&](Plan& p) {
                  watched(p);
                  set(*p.method, "objective", "lambdarank");
                },
                "linear"),
            "no error");
}

TEST(CheckTraining, AsksTheMethodItself) {
  EXPECT_EQ(complaint([](Plan& p) { set(*p.method, "stop_metric", "map"); }),
            "stop_metric map is not among the metrics watched: ndcg@10");
  EXPECT_EQ(complaint([](Plan& p) { set(*p.method, "interactions", "[a,b]"); }, "ilmart"),
            "interactions are for lambdamart; ilmart finds its own pairs");
  EXPECT_EQ(complaint(
                [](Plan& p) {
                  set(*p.method, "stop_on", "valid");
                  p.files.valid.clear();
                },
                "ebm"),
            "stop_on valid needs validation data");
  EXPECT_EQ(complaint([](Plan& p) {
              set(*p.method, "sample.method", "selective");
              set(*p.method, "sample.adaptive", "mix");
              set(*p.method, "train_metric", "false");
              p.files.valid.clear();
            }),
            "sample.adaptive needs --valid, or train_metric to watch");
}

}  // namespace
}  // namespace glassrank
