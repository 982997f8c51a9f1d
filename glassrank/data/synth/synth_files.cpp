#include "glassrank/data/synth/synth_files.h"

#include <filesystem>
#include <optional>

#include "glassrank/base/atomic_file.h"
#include "glassrank/base/error.h"
#include "glassrank/base/folders.h"
#include "glassrank/base/output_file.h"
#include "glassrank/data/bin_stream.h"
#include "glassrank/data/io/cache/cache.h"
#include "glassrank/data/io/svmlight/svmlight_writer.h"
#include "glassrank/data/synth/synthetic.h"

namespace glassrank {
namespace {

constexpr std::size_t kValuesAtOnce = std::size_t{1} << 26;  // 256 MB of float32

// Blocks of whole queries.
void write_text(const SyntheticSource& source, const SynthFiles& files, const Context& context) {
  const QueryGroups& queries = source.table().queries;
  const std::size_t most_rows = kValuesAtOnce / source.table().num_features();
  SvmlightWriter writer(files.out, files.write);
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

// Three parts and the truth.
std::vector<std::string> paths_of(const SynthFiles& files, const char* ending) {
  const std::filesystem::path folder(files.out);
  std::vector<std::string> paths;
  for (const char* const part : {"train", "valid", "test"}) {
    paths.push_back((folder / (std::string(part) + ending)).string());
  }
  paths.push_back(files.truth.empty() ? (folder / "truth.json").string() : files.truth);
  return paths;
}

}  // namespace

SyntheticResult write_synthetic(const SyntheticParams& params, const SynthFiles& files,
                                const Context& context) {
  const SyntheticSource source(params, context);
  std::optional<AtomicFile> truth;
  if (!files.truth.empty()) {
    truth.emplace(files.truth);
    truth->write(truth_json(source, files.utilities));
    truth->finish();
  }
  const bool as_bins = files.out.ends_with(".bins");
  if (as_bins || files.out.ends_with(".cache")) {
    if (files.write.sparse) fail(ErrorKind::kUsage, "a cache is never sparse; leave out --sparse");
    if (as_bins) {
      write_binned_cache(files.out, bin_stream(source, files.bins, context), files.bins, context);
    } else {
      write_cache(files.out, source, context);
    }
  } else {
    write_text(source, files, context);
  }
  if (truth) truth->commit();
  return {.out = files.out,
          .num_rows = source.table().num_rows(),
          .num_queries = source.table().queries.num_queries(),
          .num_features = source.table().num_features(),
          .num_main_effects = source.truth().main_effects.size(),
          .num_interactions = source.truth().interactions.size(),
          .num_flipped = source.flips().size()};
}

std::vector<std::string> bookshop_paths(const SynthFiles& files) { return paths_of(files, ".txt"); }

BookshopResult write_bookshop(const BookshopParams& params, const SynthFiles& files,
                              const Context& context) {
  const Bookshop shop = make_bookshop(params, context.seed, context);
  const std::vector<std::string> paths = bookshop_paths(files);
  make_folder(files.out);
  AtomicFile truth(paths.back());
  truth.write(bookshop_truth_json(shop));
  truth.finish();
  BookshopResult result{.out = files.out,
                        .parts = {},
                        .num_features = shop.train.num_features(),
                        .num_mistakes = shop.mistakes.size(),
                        .truth = paths.back()};
  SvmlightFiles texts;
  for (const Dataset* const part : {&shop.train, &shop.valid, &shop.test}) {
    const std::string& path = paths[result.parts.size()];
    texts.add(path, DatasetView(*part), files.write, context);
    result.parts.push_back({path, part->num_queries(), part->num_rows()});
  }
  texts.commit();
  truth.commit();
  return result;
}

std::vector<std::string> category_shop_paths(const SynthFiles& files) {
  return paths_of(files, ".csv");
}

BookshopResult write_category_shop(const CategoryShopParams& params, const SynthFiles& files,
                                   const Context& context) {
  if (files.write.sparse) fail(ErrorKind::kUsage, "CSV is never sparse; leave out --sparse");
  const CategoryShop shop = make_category_shop(params, context.seed, context);
  const std::vector<std::string> paths = category_shop_paths(files);
  make_folder(files.out);
  BookshopResult result{.out = files.out,
                        .parts = {},
                        .num_features = shop.train.num_features(),
                        .truth = paths.back()};
  std::vector<TextFile> texts;
  for (const Dataset* const part : {&shop.train, &shop.valid, &shop.test}) {
    const std::string& path = paths[result.parts.size()];
    texts.push_back({path, category_csv(*part)});
    result.parts.push_back({path, part->num_queries(), part->num_rows()});
  }
  texts.push_back({paths.back(), category_shop_truth_json(shop)});
  write_text_files(texts);
  return result;
}

}  // namespace glassrank
