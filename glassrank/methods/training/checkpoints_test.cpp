#include "glassrank/methods/training/checkpoints.h"

#include <algorithm>
#include <filesystem>
#include <limits>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "glassrank/base/atomic_file.h"
#include "glassrank/methods/training/state_archive.h"
#include "testing/ebm_fixture.h"
#include "testing/message_of.h"
#include "testing/training_fixture.h"

namespace glassrank {
namespace {

using testing::temporary_path;

const TrainingPhase kFirst{
    .name = "base", .label = "base model", .what = "the base model", .is_last = false};
const TrainingPhase kLast{};
const Provenance kRun = {{"train", "a.txt"}, {"train.digest", "12"}, {"seed", "1"}};

Forest trees_of(std::size_t count) {
  ForestParts parts{.trees = {}, .num_features = 2};
  for (std::size_t t = 0; t < count; ++t) {
    parts.trees.push_back({.nodes = {}, .leaf_values = {static_cast<double>(t)}, .statistics = {}});
  }
  return Forest(std::move(parts));
}

// A log to look at, and files of one name.
struct Store {
  explicit Store(const std::string& name) : out(temporary_path("checkpoints_" + name)) {
    for (const char* phase : {"", "base"}) {
      std::filesystem::remove(FileCheckpoints::path_of(out, phase));
    }
    context.log_sink = lines;
  }
  FileCheckpoints open(bool resumes, const Provenance& run = kRun, bool is_kept = true) const {
    return FileCheckpoints(
        {.out = out, .run = run, .every = 3, .resumes = resumes, .is_kept = is_kept}, context);
  }
  bool has(const char* phase) const {
    return std::filesystem::exists(FileCheckpoints::path_of(out, phase));
  }
  std::string out;
  std::shared_ptr<testing::Lines> lines = std::make_shared<testing::Lines>();
  Context context;
};

TEST(FileCheckpoints, NamesFilesByPhase) {
  EXPECT_EQ(FileCheckpoints::path_of("m.glass", ""), "m.glass.checkpoint");
  EXPECT_EQ(FileCheckpoints::path_of("m.glass", "bag2.base"), "m.glass.bag2.base.checkpoint");
}

TEST(FileCheckpoints, AWriteThatFailsIsAWarningSaidOnce) {
  Store store("fails");
  store.out = "/nowhere/at/all/model.txt";
  FileCheckpoints checkpoints = store.open(false);
  EXPECT_FALSE(checkpoints.load(kLast));
  checkpoints.save(kLast, trees_of(2));
  checkpoints.save(kLast, trees_of(4));
  checkpoints.save_end(kLast, trees_of(5), true);
  EXPECT_FALSE(checkpoints.has_saved());
  const std::vector<std::string> expected = {
      "no checkpoint: cannot write '/nowhere/at/all/model.txt.checkpoint': No such file or "
      "directory; training goes on"};
  EXPECT_EQ(store.lines->all, expected);
}

TEST(FileCheckpoints, WritesStatesAndFindsThemAgain) {
  const Store store("again");
  {
    FileCheckpoints checkpoints = store.open(false);
    EXPECT_EQ(checkpoints.every(), 3U);
    EXPECT_FALSE(checkpoints.load(kFirst));
    EXPECT_FALSE(checkpoints.load(kLast));
    EXPECT_FALSE(checkpoints.has_saved());
    checkpoints.save_end(kFirst, trees_of(5), false);  // not the end of the training
    checkpoints.save(kLast, std::string("bytes\0with\nall", 14));
    EXPECT_TRUE(checkpoints.has_saved());
  }
  FileCheckpoints checkpoints = store.open(true);
  EXPECT_TRUE(std::ranges::equal(load_trees(&checkpoints, kFirst)->trees(), trees_of(5).trees()));
  EXPECT_EQ(load_bytes(&checkpoints, kLast), std::string("bytes\0with\nall", 14));
  const std::vector<std::string> expected = {
      fmt::format("going on from {}.base.checkpoint: 5 trees", store.out),
      fmt::format("going on from {}.checkpoint: 14 bytes of state", store.out)};
  EXPECT_EQ(store.lines->all, expected);
  // Each kind is asked for by its own name.
  EXPECT_FALSE(load_bytes(&checkpoints, kFirst));
  EXPECT_FALSE(load_trees(&checkpoints, kLast));
  EXPECT_FALSE(load_trees(nullptr, kLast));
  EXPECT_FALSE(load_bytes(nullptr, kLast));
}

TEST(FileCheckpoints, SaysThatThereIsNoneAndKeepsWhatAnEarlierRunLeft) {
  const Store store("none");
  FileCheckpoints resumed = store.open(true);
  EXPECT_FALSE(resumed.load(kFirst));
  EXPECT_FALSE(resumed.load(kLast));
  resumed.save(kLast, trees_of(2));
  FileCheckpoints anew = store.open(false);
  EXPECT_FALSE(anew.load(kLast));
  const std::string file = FileCheckpoints::path_of(store.out, "");
  EXPECT_FALSE(std::filesystem::exists(file));
  EXPECT_TRUE(std::filesystem::exists(file + ".old"));
  // Put back, it is gone on from.
  std::filesystem::rename(file + ".old", file);
  EXPECT_TRUE(load_trees(&resumed, kLast));
  std::filesystem::rename(file, file + ".old");
  const std::vector<std::string> expected = {
      fmt::format("there is no {}.base.checkpoint: training the base model begins with the first "
                  "round",
                  store.out),
      fmt::format("there is no {}.checkpoint: training begins with the first round", store.out),
      fmt::format("{0} of an earlier run is now {0}.old; --resume would have gone on from it",
                  file),
      fmt::format("going on from {}: 2 trees", file)};
  EXPECT_EQ(store.lines->all, expected);
}

TEST(FileCheckpoints, RefusesTheStateOfAnotherRun) {
  const Store store("other");
  FileCheckpoints checkpoints = store.open(false);
  checkpoints.save(kFirst, trees_of(2));
  checkpoints.save_end(kLast, std::string("state"), true);
  const Provenance other = {{"train", "b.txt"}, {"train.digest", "12"}, {"seed", "2"}};
  FileCheckpoints resumed = store.open(true, other);
  for (const TrainingPhase& phase : {kFirst, kLast}) {
    EXPECT_EQ(message_of([&] { resumed.load(phase); }),
              fmt::format("{} is of another run: seed was '1' and is '2'",
                          FileCheckpoints::path_of(store.out, phase.name)));
  }
  // Nor is the state of one phase that of another.
  std::filesystem::copy_file(FileCheckpoints::path_of(store.out, "base"),
                             FileCheckpoints::path_of(store.out, ""),
                             std::filesystem::copy_options::overwrite_existing);
  FileCheckpoints same = store.open(true);
  EXPECT_EQ(message_of([&] { same.load(kLast); }),
            fmt::format("{}.checkpoint is of another run: phase was 'base model' and is nothing",
                        store.out));
}

TEST(FileCheckpoints, TheEndOfTheTrainingIsWrittenOnlyWhenItWasStopped) {
  const Store store("end");
  FileCheckpoints checkpoints = store.open(false);
  checkpoints.save_end(kLast, trees_of(3), false);
  EXPECT_FALSE(store.has(""));
  EXPECT_FALSE(checkpoints.has_saved());
  checkpoints.save_end(kLast, trees_of(3), true);
  EXPECT_TRUE(store.has(""));
}

TEST(FileCheckpoints, RemovesWhatItsRunHasWritten) {
  const Store store("remove");
  FileCheckpoints checkpoints = store.open(false);
  checkpoints.load(kFirst);
  checkpoints.load(kLast);
  checkpoints.save_end(kFirst, trees_of(1), false);
  checkpoints.save_end(kLast, std::string("state"), true);
  EXPECT_TRUE(store.has("base") && store.has(""));
  checkpoints.remove_all();
  EXPECT_FALSE(store.has("base") || store.has(""));
  checkpoints.remove_all();  // nothing is there any more
}

TEST(FileCheckpoints, OneThatCannotBeRemovedIsAWarning) {
  const Store store("stays");
  FileCheckpoints checkpoints = store.open(false);
  checkpoints.load(kLast);
  const std::string file = FileCheckpoints::path_of(store.out, "");
  std::filesystem::create_directories(file + "/full");
  checkpoints.remove_all();
  ASSERT_FALSE(store.lines->all.empty());
  EXPECT_EQ(store.lines->all.back(), file + " cannot be removed: Directory not empty");
  std::filesystem::remove_all(file);
}

TEST(FileCheckpoints, WritesNothingWhereNothingIsKept) {
  const Store store("unkept");
  FileCheckpoints checkpoints = store.open(false, kRun, false);
  EXPECT_EQ(checkpoints.every(), 0U);
  checkpoints.load(kLast);
  checkpoints.save(kLast, trees_of(1));
  checkpoints.save_end(kLast, trees_of(1), true);
  EXPECT_FALSE(store.has(""));
  EXPECT_FALSE(checkpoints.has_saved());
}

TEST(FileCheckpoints, ADamagedStateIsAnError) {
  const Store store("damaged");
  FileCheckpoints checkpoints = store.open(true);
  checkpoints.save_end(kLast, std::string("a state of some length"), true);
  const std::string path = FileCheckpoints::path_of(store.out, "");
  const std::string text = read_text_file(path);
  const std::string message = path + " is damaged: its checksum does not fit";
  for (const std::size_t size :
       {text.size() - 1, text.size() - 20, text.find('\n') + 1, text.find('\n') + 30}) {
    write_text_file(path, text.substr(0, size));
    EXPECT_EQ(message_of([&] { checkpoints.load(kLast); }), message) << size;
  }
  std::string flipped = text;
  flipped[text.size() - 3] ^= 1;
  write_text_file(path, flipped);
  EXPECT_EQ(message_of([&] { checkpoints.load(kLast); }), message);
  write_text_file(path, text + "x");
  EXPECT_EQ(message_of([&] { checkpoints.load(kLast); }), message);
  for (const char* header :
       {"3", "[1]", "{\"num_bytes\": \"x\"}", "{\"checksum\": 3}", "null", ""}) {
    write_text_file(path, fmt::format("glassrank training state 1\n{}\nbytes", header));
    EXPECT_EQ(message_of([&] { checkpoints.load(kLast); }), message) << header;
  }
  write_text_file(path, text);
  EXPECT_EQ(load_bytes(&checkpoints, kLast), "a state of some length");
}

TEST(MemoryCheckpoints, KeepTheLastStateOfEveryPhase) {
  MemoryCheckpoints checkpoints;
  EXPECT_EQ(checkpoints.every(), 0U);
  EXPECT_FALSE(checkpoints.load(kLast));
  checkpoints.save(kFirst, trees_of(2));
  checkpoints.save_end(kFirst, trees_of(4), false);
  checkpoints.save_end(kLast, std::string("state"), true);
  EXPECT_EQ(load_trees(&checkpoints, kFirst)->trees().size(), 4U);
  EXPECT_EQ(load_bytes(&checkpoints, kLast), "state");
  checkpoints.erase("base");
  EXPECT_FALSE(checkpoints.load(kFirst));
}

struct State {
  int number = 0;
  double real = 0;
  bool flag = false;
  std::string text;
  std::vector<double> numbers;
  std::vector<std::vector<float>> tables;
  bool operator==(const State&) const = default;
};

void archive(StateArchive& archive, State& state) {
  archive(state.number, state.real, state.flag, state.text, state.numbers, state.tables);
}

const State kState{.number = -7,
                   .real = 0.1,
                   .flag = true,
                   .text = std::string("a\0b", 3),
                   .numbers = {1, std::numeric_limits<double>::infinity(), -0.0},
                   .tables = {{1.5F}, {}, {2.5F, 3.5F}}};

std::string bytes_of(State state) {
  StateArchive writing;
  EXPECT_FALSE(writing.is_reading());
  archive(writing, state);
  return std::move(writing).bytes();
}

State read_state(std::string bytes) {
  StateArchive reading(std::move(bytes));
  EXPECT_TRUE(reading.is_reading());
  State state;
  archive(reading, state);
  return state;
}

TEST(StateArchive, ReadsWhatItWrote) {
  EXPECT_TRUE(read_state(bytes_of(kState)) == kState);
  EXPECT_TRUE(read_state(bytes_of({})) == State{});
  EXPECT_EQ(bytes_of(read_state(bytes_of(kState))), bytes_of(kState));
}

TEST(StateArchive, RefusesDamagedBytes) {
  const std::string bytes = bytes_of(kState);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_EQ(message_of([&] { read_state(bytes.substr(0, size)); }),
              "the state of the training is damaged")
        << size;
  }
  // A size beyond all memory is found before the memory is asked for.
  std::string large = bytes;
  const std::size_t at = sizeof(int) + sizeof(double) + sizeof(bool);
  for (std::size_t i = 0; i < sizeof(std::size_t); ++i) large[at + i] = '\x7f';
  EXPECT_EQ(message_of([&] { read_state(large); }), "the state of the training is damaged");
}

TEST(FileCheckpoints, KnowsEveryFileThatARunMayReplace) {
  const std::string folder = temporary_path("checkpoint_names");
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  const std::string out = folder + "/m.txt";
  for (const char* name : {"/m.txt.bag2.main.checkpoint", "/m.txt.base.checkpoint",
                           "/m.txt.checkpoint.old", "/other.txt.checkpoint", "/m.txt"}) {
    write_text_file(folder + name, "");
  }
  EXPECT_EQ(FileCheckpoints::paths_of(out),
            (std::vector<std::string>{out + ".checkpoint", out + ".bag2.main.checkpoint",
                                      out + ".base.checkpoint"}));
  EXPECT_EQ(FileCheckpoints::paths_of(folder + "/none/m.txt"),
            std::vector<std::string>{folder + "/none/m.txt.checkpoint"});
  EXPECT_TRUE(FileCheckpoints::is_path_of(out, out + ".bag1.checkpoint"));
  EXPECT_FALSE(FileCheckpoints::is_path_of(out, out + ".toml"));
}

}  // namespace
}  // namespace glassrank
