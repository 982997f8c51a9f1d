#include "glassrank/data/io/merged_categories.h"

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>

#include "glassrank/data/category_names.h"
#include "glassrank/data/io/block_pool.h"
#include "glassrank/data/io/categories.h"

namespace glassrank {
namespace {

using Sources = std::vector<std::unique_ptr<RowSource>>;

// Of files with as many features; whether these fit together is for others to say.
std::vector<std::size_t> differing_features(const Sources& sources) {
  const Schema& first = sources.front()->table().schema;
  std::vector<std::size_t> features;
  for (std::size_t f = 0; f < first.num_features(); ++f) {
    const bool differs = std::ranges::any_of(sources, [&](const auto& source) {
      const Schema& schema = source->table().schema;
      return schema.num_features() == first.num_features() && schema.is_category(f) &&
             schema.feature(f).categories != first.feature(f).categories;
    });
    if (differs && first.is_category(f)) features.push_back(f);
  }
  return features;
}

// How often each code of some features is met.
class CountingSink final : public RowSink {
 public:
  CountingSink(const std::vector<std::size_t>& features, std::size_t width)
      : features_(features), width_(width), counts_(features.size()) {}

  float* begin_block(std::size_t /*first_row*/, std::size_t num_rows) override {
    return pool_.take(num_rows * width_);
  }
  void end_block(std::size_t /*first_row*/, std::size_t num_rows, float* rows) override {
    {
      const std::lock_guard lock(mutex_);
      for (std::size_t r = 0; r < num_rows; ++r) {
        for (std::size_t i = 0; i < features_.size(); ++i) {
          counts_[i].add(rows[r * width_ + features_[i]]);
        }
      }
    }
    pool_.give_back(rows);
  }
  const CodeCounts& counts(std::size_t i) const { return counts_[i]; }

 private:
  const std::vector<std::size_t>& features_;
  std::size_t width_;
  std::vector<CodeCounts> counts_;
  std::mutex mutex_;
  BlockPool pool_;
};

using FeatureMap = std::pair<std::size_t, CategoryMap>;

// Gives categories other codes on their way.
class MappingSink final : public RowSink {
 public:
  MappingSink(RowSink& sink, const std::vector<FeatureMap>& maps, std::size_t width)
      : sink_(sink), maps_(maps), width_(width) {}

  float* begin_block(std::size_t first_row, std::size_t num_rows) override {
    return sink_.begin_block(first_row, num_rows);
  }
  void end_block(std::size_t first_row, std::size_t num_rows, float* rows) override {
    for (std::size_t r = 0; r < num_rows; ++r) {
      if (!sink_.wants(first_row + r)) continue;
      for (const auto& [feature, map] : maps_) {
        float& value = rows[r * width_ + feature];
        value = map(value);
      }
    }
    sink_.end_block(first_row, num_rows, rows);
  }
  bool wants(std::size_t row) const override { return sink_.wants(row); }

 private:
  RowSink& sink_;
  const std::vector<FeatureMap>& maps_;
  std::size_t width_;
};

class MappedSource final : public RowSource {
 public:
  MappedSource(std::unique_ptr<RowSource> source, const std::vector<std::size_t>& features,
               const std::vector<std::vector<std::string>>& names)
      : source_(std::move(source)) {
    RowTable table = source_->table();
    for (std::size_t i = 0; i < features.size(); ++i) {
      maps_.emplace_back(features[i],
                         CategoryMap(table.schema.feature(features[i]).categories, names[i]));
      table.schema.set_category(features[i], names[i]);
    }
    table_ = std::make_shared<const RowTable>(std::move(table));
  }

  std::shared_ptr<const RowTable> shared_table() const override { return table_; }
  void pass(const Context& context, RowSink& sink) const override {
    MappingSink mapping(sink, maps_, table_->num_features());
    source_->pass(context, mapping);
  }

 private:
  std::unique_ptr<RowSource> source_;
  std::vector<FeatureMap> maps_;
  std::shared_ptr<const RowTable> table_;
};

std::vector<std::vector<std::string>> names_in_all(const Sources& sources,
                                                   const std::vector<std::size_t>& features,
                                                   const Context& context) {
  std::vector<CategoryCounts> all(features.size());
  for (const std::unique_ptr<RowSource>& source : sources) {
    const Schema& schema = source->table().schema;
    CountingSink sink(features, schema.num_features());
    source->pass(context, sink);
    for (std::size_t i = 0; i < features.size(); ++i) {
      for (const auto& [text, count] :
           sink.counts(i).by_name(schema.feature(features[i]).categories)) {
        all[i].add(text, count);
      }
    }
  }
  std::vector<std::vector<std::string>> names;
  for (const CategoryCounts& counts : all) names.push_back(counts.names());
  return names;
}

}  // namespace

Sources with_merged_categories(Sources sources, const Context& context) {
  const std::vector<std::size_t> features = differing_features(sources);
  if (features.empty()) return sources;
  const auto names = names_in_all(sources, features, context);
  for (std::unique_ptr<RowSource>& source : sources) {
    source = std::make_unique<MappedSource>(std::move(source), features, names);
  }
  return sources;
}

}  // namespace glassrank
