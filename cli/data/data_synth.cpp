// glassrank data synth: makes ranking data whose truth is known.

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "cli/file_check.h"
#include "cli/registry.h"
#include "glassrank/base/error.h"
#include "glassrank/data/synth/synth_files.h"

namespace glassrank {

enum class Scenario { kNone, kBookshop, kCategories };
template <>
struct EnumNames<Scenario> {
  static std::span<const std::pair<std::string_view, Scenario>> table() {
    static constexpr std::pair<std::string_view, Scenario> kTable[] = {
        {"none", Scenario::kNone},
        {"bookshop", Scenario::kBookshop},
        {"categories", Scenario::kCategories}};
    return kTable;
  }
};

namespace cli {
namespace {

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
    visitor.field("out", files_.out,
                  "file to write (.gz and .zst are packed, .cache is a cache of values, .bins one "
                  "of bins); a folder for bookshop",
                  ParamStyle{.required = true, .value_name = "PATH", .file = FileUse::kOutput});
    visitor.field("truth", files_.truth, "JSON file for the truth behind the data",
                  ParamStyle{.file = FileUse::kOutput});
    visitor.field("utilities", files_.utilities, "list the true utility of every row in the truth");
    visitor.field("sparse", files_.write.sparse, "leave values equal to 0 out of the file");
    visitor.field("scenario", scenario_,
                  "bookshop: searches in a book shop, as train, valid and test; categories: offers "
                  "with brand, seller, colour and kind, as CSV; the parameters below do not apply, "
                  "those of the scenario do");
    visitor.group("bookshop", bookshop_);
    visitor.group("categories", categories_);
    params_.visit(visitor);
  }

  std::vector<NamedFile> files_beside() const override {
    if (scenario_ == Scenario::kNone) return side_files_of("--out", files_.out);
    std::vector<NamedFile> files;
    std::vector<std::string> paths =
        scenario_ == Scenario::kBookshop ? bookshop_paths(files_) : category_shop_paths(files_);
    if (!files_.truth.empty()) paths.pop_back();  // an option of its own
    for (std::string& path : paths) {
      for (NamedFile& beside : side_files_of("a file in --out", path)) {
        files.push_back(std::move(beside));
      }
      files.push_back({"a file in --out", std::move(path)});
    }
    return files;
  }
  std::vector<ParamUse> uses() const override {
    std::vector<ParamUse> uses;
    add_uses(uses, param_names(bookshop_, "bookshop."), "scenario", {"bookshop"});
    add_uses(uses, param_names(categories_, "categories."), "scenario", {"categories"});
    return uses;
  }
  void read_given(const std::vector<std::string>& names) override { given_ = names; }

  std::string results() const override {
    return results_markdown<SyntheticResult>() + "\nOf the book shop:\n\n" +
           results_markdown<BookshopResult>();
  }
  void run(const Context& context, Output& output) override {
    if (scenario_ == Scenario::kNone) {
      print(write_synthetic(params_, files_, context), output);
      return;
    }
    check_scenario();
    print(scenario_ == Scenario::kBookshop ? write_bookshop(bookshop_, files_, context)
                                           : write_category_shop(categories_, files_, context),
          output);
  }

 private:
  void print(const SyntheticResult& result, Output& output) const {
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

  void print(const BookshopResult& result, Output& output) const {
    if (output.json) {
      output.out << json_text(result);
      return;
    }
    line(output, "folder", result.out);
    line(output, "train_rows", result.parts[0].num_rows);
    line(output, "valid_rows", result.parts[1].num_rows);
    line(output, "test_rows", result.parts[2].num_rows);
    line(output, "features", result.num_features);
    if (scenario_ == Scenario::kBookshop) line(output, "mistakes", result.num_mistakes);
    line(output, "truth", result.truth);
  }

  // Parameters of the general generator would be ignored: say so instead.
  void check_scenario() const {
    const bool is_shop = scenario_ == Scenario::kBookshop;
    const std::string_view name = is_shop ? "bookshop" : "categories";
    const auto infos = list_params(params_);
    const auto defaults = list_params(SyntheticParams{});
    const auto own = is_shop ? list_params(bookshop_) : list_params(categories_);
    for (std::size_t i = 0; i < infos.size(); ++i) {
      const bool is_given = std::ranges::find(given_, infos[i].name) != given_.end();
      if (infos[i].value == defaults[i].value && !is_given) continue;
      const bool has = std::ranges::find(own, infos[i].name, &ParamInfo::name) != own.end();
      fail(ErrorKind::kUsage, "{} does not apply to the {} scenario{}", infos[i].name, name,
           has ? fmt::format("; set {}.{}", name, infos[i].name) : "");
    }
    if (files_.utilities) {
      fail(ErrorKind::kUsage, "utilities does not apply to the {} scenario", name);
    }
  }

  template <typename Value>
  static void line(Output& output, std::string_view name, const Value& value) {
    fmt::print(output.out, "{:<14}{}\n", name, value);
  }

  SynthFiles files_;
  Scenario scenario_ = Scenario::kNone;
  BookshopParams bookshop_;
  CategoryShopParams categories_;
  SyntheticParams params_;
  std::vector<std::string> given_;  // on the command line
};

}  // namespace

std::unique_ptr<Command> make_data_synth_command() { return std::make_unique<DataSynth>(); }

}  // namespace cli
}  // namespace glassrank
