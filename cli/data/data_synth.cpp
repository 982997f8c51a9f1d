// glassrank data synth: makes ranking data whose truth is known.

#include <algorithm>
#include <filesystem>
#include <optional>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "cli/registry.h"
#include "glassrank/base/atomic_file.h"
#include "glassrank/base/error.h"
#include "glassrank/base/folders.h"
#include "glassrank/base/param_uses.h"
#include "glassrank/data/data_results.h"
#include "glassrank/data/io/cache/cache.h"
#include "glassrank/data/io/svmlight/svmlight_writer.h"
#include "glassrank/data/synth/bookshop.h"
#include "glassrank/data/synth/synthetic.h"

namespace glassrank {

enum class Scenario { kNone, kBookshop };
template <>
struct EnumNames<Scenario> {
  static std::span<const std::pair<std::string_view, Scenario>> table() {
    static constexpr std::pair<std::string_view, Scenario> kTable[] = {
        {"none", Scenario::kNone}, {"bookshop", Scenario::kBookshop}};
    return kTable;
  }
};

namespace cli {
namespace {

constexpr std::size_t kValuesAtOnce = std::size_t{1} << 26;  // 256 MB of float32

class DataSynth final : public Command {
 public:
  std::string name() const override { return "data synth"; }
  std::string summary() const override { return "Make ranking data whose truth is known"; }
  std::vector<std::string> examples() const override {
    return {"glassrank data synth --scenario bookshop --out shop",
            "glassrank data synth --shape mslr --rows 700000 --out mslr.txt --truth truth.json",
            "glassrank data synth --queries 500 --features 40 --label-noise 0.05 --out noisy.txt"};
  }

  void visit(ParamVisitor& visitor) override {
    visitor.field(
        "out", out_,
        "file to write (.gz and .zst are packed, .cache is a cache); a folder for bookshop",
        ParamStyle{.required = true, .value_name = "PATH", .file = FileUse::kOutput});
    visitor.field("truth", truth_, "JSON file for the truth behind the data",
                  ParamStyle{.file = FileUse::kOutput});
    visitor.field("utilities", utilities_, "list the true utility of every row in the truth");
    visitor.field("sparse", write_.sparse, "leave values equal to 0 out of the file");
    visitor.field("scenario", scenario_,
                  "bookshop: searches in a book shop, as train, valid and test; the parameters "
                  "below do not apply, those of bookshop do");
    visitor.group("bookshop", bookshop_);
    params_.visit(visitor);
  }

  std::vector<NamedFile> files_beside() const override {
    if (scenario_ != Scenario::kBookshop) return {};
    std::vector<NamedFile> files;
    for (const char* name : {"train.txt", "valid.txt", "test.txt", "truth.json"}) {
      if (name != std::string_view("truth.json") || truth_.empty()) {
        files.push_back({"a file in --out", in_folder(name)});
      }
    }
    return files;
  }
  void read_given(const std::vector<std::string>& names) override { given_ = names; }

  std::string results() const override {
    return results_markdown<SyntheticResult>() + "\nOf the book shop:\n\n" +
           results_markdown<BookshopResult>();
  }
  void run(const Context& context, Output& output) override {
    if (scenario_ == Scenario::kBookshop) {
      check_bookshop();
      write_bookshop(context, output);
    } else {
      refuse_bookshop();
      write_synthetic(context, output);
    }
  }

 private:
  // Blocks of whole queries, so that data of any size is made with little memory.
  void write_text(const SyntheticSource& source, const Context& context) const {
    const QueryGroups& queries = source.table().queries;
    const std::size_t most_rows = kValuesAtOnce / source.table().num_features();
    SvmlightWriter writer(out_, write_);
    for (std::size_t first = 0; first < queries.num_queries();) {
      std::size_t end = first + 1;
      while (end < queries.num_queries() &&
             queries.offsets()[end + 1] - queries.offsets()[first] <= most_rows) {
        ++end;
      }
      const Dataset block = source.queries(first, end, context);
      writer.append(DatasetView(block), context);
      first = end;
    }
    writer.commit();
  }

  void write_synthetic(const Context& context, Output& output) const {
    const SyntheticSource source(params_, context);
    const QueryGroups& queries = source.table().queries;
    std::optional<AtomicFile> truth;
    if (!truth_.empty()) {
      truth.emplace(truth_);
      truth->write(truth_json(source, utilities_));
      truth->finish();
    }
    if (out_.ends_with(".cache")) {
      if (write_.sparse) fail(ErrorKind::kUsage, "a cache is never sparse; leave out --sparse");
      write_cache(out_, source, context);
    } else {
      write_text(source, context);
    }
    if (truth) truth->commit();
    const SyntheticResult result{.out = out_,
                                 .num_rows = source.table().num_rows(),
                                 .num_queries = queries.num_queries(),
                                 .num_features = source.table().num_features(),
                                 .num_main_effects = source.truth().main_effects.size(),
                                 .num_interactions = source.truth().interactions.size(),
                                 .num_flipped = source.flips().size()};
    if (output.json) {
      output.out << json_text(result);
      return;
    }
    line(output, "file", result.out);
    line(output, "rows", result.num_rows);
    line(output, "queries", result.num_queries);
    line(output, "features", result.num_features);
    line(output, "main_effects", result.num_main_effects);
    line(output, "interactions", result.num_interactions);
    line(output, "flipped", result.num_flipped);
  }

  void refuse_bookshop() {
    ParamLister lister;
    visit(lister);
    std::vector<ParamUse> uses;
    for (const ParamInfo& info : lister.infos) {
      if (info.name.starts_with("bookshop.")) uses.push_back({info.name, "scenario", {"bookshop"}});
    }
    refuse_unused(uses, "", lister.infos, given_);
  }

  // Parameters of the general generator would be ignored: say so instead.
  void check_bookshop() const {
    const auto infos = list_params(params_);
    const auto defaults = list_params(SyntheticParams{});
    const auto shop = list_params(bookshop_);
    for (std::size_t i = 0; i < infos.size(); ++i) {
      const bool is_given = std::ranges::find(given_, infos[i].name) != given_.end();
      if (infos[i].value == defaults[i].value && !is_given) continue;
      const bool has = std::ranges::find(shop, infos[i].name, &ParamInfo::name) != shop.end();
      fail(ErrorKind::kUsage, "{} does not apply to the bookshop scenario{}", infos[i].name,
           has ? "; set bookshop." + infos[i].name : "");
    }
    if (utilities_) fail(ErrorKind::kUsage, "utilities does not apply to the bookshop scenario");
  }

  std::string in_folder(const char* name) const {
    return (std::filesystem::path(out_) / name).string();
  }

  void write_bookshop(const Context& context, Output& output) const {
    const Bookshop shop = make_bookshop(bookshop_, context.seed, context);
    make_folder(out_);
    const std::string truth = truth_.empty() ? in_folder("truth.json") : truth_;
    AtomicFile truth_file(truth);
    truth_file.write(bookshop_truth_json(shop));
    truth_file.finish();
    BookshopResult result{.out = out_,
                          .parts = {},
                          .num_features = shop.train.num_features(),
                          .num_mistakes = shop.mistakes.size(),
                          .truth = truth};
    SvmlightFiles files;
    for (const auto& [name, data] : {std::pair{"train.txt", &shop.train},
                                     {"valid.txt", &shop.valid},
                                     {"test.txt", &shop.test}}) {
      files.add(in_folder(name), DatasetView(*data), write_, context);
      result.parts.push_back({in_folder(name), data->num_queries(), data->num_rows()});
    }
    files.commit();
    truth_file.commit();
    if (output.json) {
      output.out << json_text(result);
      return;
    }
    line(output, "folder", result.out);
    line(output, "train_rows", shop.train.num_rows());
    line(output, "valid_rows", shop.valid.num_rows());
    line(output, "test_rows", shop.test.num_rows());
    line(output, "features", result.num_features);
    line(output, "mistakes", result.num_mistakes);
    line(output, "truth", result.truth);
  }

  template <typename Value>
  static void line(Output& output, std::string_view name, const Value& value) {
    fmt::print(output.out, "{:<14}{}\n", name, value);
  }

  std::string out_;
  std::string truth_;
  bool utilities_ = false;
  WriteParams write_;
  Scenario scenario_ = Scenario::kNone;
  BookshopParams bookshop_;
  SyntheticParams params_;
  std::vector<std::string> given_;  // on the command line
};

}  // namespace

std::unique_ptr<Command> make_data_synth_command() { return std::make_unique<DataSynth>(); }

}  // namespace cli
}  // namespace glassrank
