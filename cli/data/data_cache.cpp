// glassrank data cache: converts a data file once into a binary file that opens in an instant.

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "cli/output_file.h"
#include "cli/registry.h"
#include "glassrank/base/error.h"
#include "glassrank/data/bin_stream.h"
#include "glassrank/data/data_results.h"
#include "glassrank/data/io/cache/cache.h"
#include "glassrank/data/io/formats.h"

namespace glassrank::cli {
namespace {

std::string size_text(std::size_t num_bytes) {
  const auto bytes = static_cast<double>(num_bytes);
  return bytes < 1e6 ? fmt::format("{:.1f} KB", bytes / 1e3)
                     : fmt::format("{:.1f} MB", bytes / 1e6);
}

template <typename Data>
CacheResult describe(const Data& data, std::size_t num_bytes) {
  return {.num_rows = data.num_rows(),
          .num_queries = data.num_queries(),
          .num_features = data.num_features(),
          .num_bytes = num_bytes};
}

class DataCache final : public Command {
 public:
  std::string name() const override { return "data cache"; }
  std::string summary() const override {
    return "Convert a data file once into a binary file that opens in an instant";
  }
  std::vector<std::string> examples() const override {
    return {"glassrank data cache train.txt --out train.cache",
            "glassrank data cache huge.txt --out huge.bins --binned --streaming"};
  }

  void visit(ParamVisitor& visitor) override {
    visitor.field("data", data_, "data file",
                  ParamStyle{.required = true, .positional = true, .file = FileUse::kInput});
    visitor.field("out", out_, "the cache to write",
                  ParamStyle{.required = true, .file = FileUse::kOutput});
    visitor.field("binned", binned_, "keep bins for tree learners instead of feature values");
    visitor.field("streaming", streaming_,
                  "read the file twice (three times for bins) and never hold its values in memory");
    read_.visit(visitor);
    bins_.visit(visitor);
  }

  std::string results() const override { return results_markdown<CacheResult>(); }
  void run(const Context& context, Output& output) override {
    if (streaming_ && !binned_ && !is_regular_or_new(out_)) {
      fail(ErrorKind::kUsage,
           "--streaming writes the parts of a cache as they come, not in their order; {} is no "
           "regular file",
           out_);
    }
    CacheResult written = convert(context);
    written.out = out_;
    written.kind = binned_ ? "bins" : "values";
    if (output.json) {
      output.out << json_text(written);
      return;
    }
    fmt::print(output.out, "{:<10}{}\n{:<10}{}\n{:<10}{}\n{:<10}{}\n{:<10}{}\n", "file", out_,
               "rows", written.num_rows, "queries", written.num_queries, "features",
               written.num_features, "size", size_text(written.num_bytes));
  }

 private:
  CacheResult convert(const Context& context) const {
    if (streaming_) {
      const auto source = open_row_source(data_, read_, context);
      if (!binned_) {
        const RowTable& table = source->table();
        return {.num_rows = table.num_rows(),
                .num_queries = table.queries.num_queries(),
                .num_features = table.num_features(),
                .num_bytes = write_cache(out_, *source, context)};
      }
      return write(bin_stream(*source, bins_, context), context);
    }
    const Dataset data = load_dataset(data_, read_, context);
    if (binned_) return write(bin_dataset(data, bins_, context), context);
    return describe(data, write_cache(out_, data, context));
  }
  CacheResult write(const BinnedDataset& data, const Context& context) const {
    return describe(data, write_binned_cache(out_, data, bins_, context));
  }

  std::string data_;
  std::string out_;
  bool binned_ = false;
  bool streaming_ = false;
  ReadParams read_;
  BinParams bins_;
};

}  // namespace

std::unique_ptr<Command> make_data_cache_command() { return std::make_unique<DataCache>(); }

}  // namespace glassrank::cli
