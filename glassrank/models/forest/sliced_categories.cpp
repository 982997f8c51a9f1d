#include "glassrank/models/forest/sliced_categories.h"

#include <algorithm>
#include <cmath>

namespace glassrank {
namespace {

constexpr std::uint32_t kNoMask = 0;  // the first mask is that of no row

// One feature's rows by category.
class FeatureMasks {
 public:
  FeatureMasks(std::uint32_t feature, const SlicedBlock& block, CategoryMasks& memory)
      : num_words_(block.width / 64), memory_(memory) {
    memory_.masks.assign(num_words_, 0);
    missing_.assign(num_words_, 0);
    for (std::size_t r = 0; r < block.num_rows; ++r) {
      const float value = block.rows[r * block.stride + feature];
      if (std::isnan(value)) {
        missing_[r / 64] |= bit(r);
      } else if (value > -1.0F && value < static_cast<float>(memory_.mask_of_code.size())) {
        add(static_cast<std::size_t>(value), r);
      }
    }
  }
  FeatureMasks(const FeatureMasks&) = delete;
  FeatureMasks& operator=(const FeatureMasks&) = delete;
  ~FeatureMasks() {
    for (const std::size_t code : codes_) memory_.mask_of_code[code] = kNoMask;
  }

  void write(const CategoryCondition& condition, std::size_t num_rows, std::uint64_t* out) const {
    std::fill_n(out, num_words_, 0);
    for (const std::uint32_t code : condition.codes) {
      const std::uint32_t mask = memory_.mask_of_code[code];
      if (mask == kNoMask) continue;
      const std::uint64_t* const words = memory_.masks.data() + mask * num_words_;
      for (std::size_t w = 0; w < num_words_; ++w) out[w] |= words[w];
    }
    for (std::size_t w = 0; w < num_words_; ++w) {
      if (condition.missing_left) out[w] |= missing_[w];
      const std::size_t begin = std::min(64 * w, num_rows);
      const std::size_t size = std::min<std::size_t>(num_rows - begin, 64);
      const std::uint64_t there = size == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << size) - 1;
      out[w] = ~out[w] & there;
    }
  }

 private:
  static std::uint64_t bit(std::size_t row) { return std::uint64_t{1} << (row % 64); }

  void add(std::size_t code, std::size_t row) {
    std::uint32_t& mask = memory_.mask_of_code[code];
    if (mask == kNoMask) {
      mask = static_cast<std::uint32_t>(memory_.masks.size() / num_words_);
      memory_.masks.resize(memory_.masks.size() + num_words_, 0);
      codes_.push_back(code);
    }
    memory_.masks[mask * num_words_ + row / 64] |= bit(row);
  }

  std::size_t num_words_;
  CategoryMasks& memory_;
  std::vector<std::uint64_t> missing_;
  std::vector<std::size_t> codes_;  // those that have a mask
};

}  // namespace

void evaluate_categories(const ScoringPlan& plan, const SlicedBlock& block,
                         CategoryMasks& workspace, std::uint64_t* masks) {
  const std::size_t num_words = block.width / 64;
  const std::vector<CategoryCondition>& conditions = plan.categories;
  for (std::size_t i = 0; i < conditions.size();) {
    const std::uint32_t feature = conditions[i].feature;
    const FeatureMasks rows(feature, block, workspace);
    for (; i < conditions.size() && conditions[i].feature == feature; ++i) {
      rows.write(conditions[i], block.num_rows, masks + i * num_words);
    }
  }
}

}  // namespace glassrank
