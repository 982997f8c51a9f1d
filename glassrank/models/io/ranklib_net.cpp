#include "glassrank/models/io/ranklib_net.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "glassrank/base/error.h"
#include "glassrank/models/io/number_text.h"
#include "glassrank/models/io/ranklib.h"

namespace glassrank {
namespace {

constexpr std::size_t kMaxUnits = std::size_t{1} << 20;

class NetReader {
 public:
  explicit NetReader(std::string_view body) : lines_(body) {}

  // The words of the next line, which must be there.
  std::vector<std::string_view> words() {
    if (lines_.at_end()) fail(ErrorKind::kInput, "the RankNet model is cut off");
    return split_words(lines_.next());
  }
  template <typename T>
  T number(std::string_view word) const {
    T value{};
    if (!parse_number(word, value)) fail_here(fmt::format("'{}' is not a number", word));
    return value;
  }
  // A line with one whole number.
  std::size_t count() {
    const auto line = words();
    if (line.size() != 1) fail_here("one number is expected here");
    const auto value = number<std::uint32_t>(line[0]);
    if (value > kMaxUnits)
      fail_here(fmt::format("{} are more than the {} supported", value, kMaxUnits));
    return value;
  }
  [[noreturn]] void fail_here(std::string_view problem) const {
    fail(ErrorKind::kInput, "line {} below the header: {}", lines_.line_number(), problem);
  }

 private:
  LineReader lines_;
};

// Weights from unit `unit` of layer `layer` to `count` units.
std::vector<double> read_weights(NetReader& reader, std::size_t layer, std::size_t unit,
                                 std::size_t count) {
  const auto words = reader.words();
  if (words.size() != count + 2 || reader.number<std::uint32_t>(words[0]) != layer ||
      reader.number<std::uint32_t>(words[1]) != unit) {
    reader.fail_here(fmt::format("'{} {}' and {} weights are expected here", layer, unit, count));
  }
  std::vector<double> weights;
  for (std::size_t i = 2; i < words.size(); ++i) weights.push_back(reader.number<double>(words[i]));
  return weights;
}

MlpLayer sigmoid_layer(std::size_t num_inputs, std::size_t num_outputs) {
  return {.num_inputs = num_inputs,
          .weights = std::vector<double>(num_inputs * num_outputs),
          .biases = std::vector<double>(num_outputs),
          .activation = Activation::kSigmoid};
}

void set_input(MlpLayer& layer, std::size_t input, std::span<const double> weights) {
  for (std::size_t o = 0; o < weights.size(); ++o) {
    layer.weights[o * layer.num_inputs + input] = weights[o];
  }
}

std::vector<std::uint32_t> read_features(NetReader& reader) {
  std::vector<std::uint32_t> features;
  for (const std::string_view word : reader.words()) {
    features.push_back(reader.number<std::uint32_t>(word));
    const bool ascends = features.size() == 1 || features.back() > features[features.size() - 2];
    if (features.back() == 0 || features.back() > kMaxUnits || !ascends) {
      reader.fail_here("features are counted from 1 and ascend");
    }
  }
  if (features.empty()) reader.fail_here("the features are expected here");
  return features;
}

}  // namespace

Model read_ranklib_net(std::string_view text) {
  RanklibHeader header = read_ranklib_header(text);
  NetReader reader(header.body);
  const std::vector<std::uint32_t> features = read_features(reader);
  std::vector<std::size_t> sizes(reader.count());
  for (std::size_t& size : sizes) size = reader.count();
  sizes.push_back(1);
  MlpParts parts;
  parts.objective = header.type;
  std::size_t num_inputs = features.back();
  std::size_t num_units = 0;
  for (const std::size_t size : sizes) {
    if (size == 0 || num_inputs * size > kMaxUnits) reader.fail_here("a layer of this size");
    parts.layers.push_back(sigmoid_layer(num_inputs, size));
    num_inputs = size;
    num_units += size;
  }
  for (std::size_t i = 0; i < features.size(); ++i) {
    set_input(parts.layers[0], features[i] - 1, read_weights(reader, 0, i, sizes[0]));
  }
  const std::vector<double> biases = read_weights(reader, 0, features.size(), num_units);
  auto bias = biases.begin();
  for (MlpLayer& layer : parts.layers) {
    for (double& own : layer.biases) own = *bias++;
  }
  for (std::size_t l = 1; l < parts.layers.size(); ++l) {
    for (std::size_t i = 0; i < sizes[l - 1]; ++i) {
      set_input(parts.layers[l], i, read_weights(reader, l, i, sizes[l]));
    }
  }
  return {.body = Mlp(std::move(parts)), .provenance = std::move(header.provenance)};
}

std::string write_ranklib_net(const Model& model, const Context& context) {
  return match(
      model,
      [&](const Mlp& mlp) {
        const auto layers = mlp.layers();
        if (!std::ranges::all_of(layers, [](const MlpLayer& layer) {
              return layer.activation == Activation::kSigmoid;
            })) {
          fail(ErrorKind::kInput,
               "RankLib's networks have sigmoid units only; this one has others");
        }
        if (std::ranges::any_of(mlp.parts().fills, [](float fill) { return fill != 0; })) {
          context.warn(
              "RankLib takes missing values as 0; this model has other values for them, which are "
              "lost");
        }
        std::string text =
            ranklib_header("RankNet", model.provenance,
                           {{"No. of features", fmt::format("{}", mlp.num_features())},
                            {"No. of hidden layers", fmt::format("{}", layers.size() - 1)}});
        const auto end = std::back_inserter(text);
        for (std::size_t f = 1; f <= mlp.num_features(); ++f) {
          fmt::format_to(end, "{}{}", f == 1 ? "" : " ", f);
        }
        fmt::format_to(end, "\n{}\n", layers.size() - 1);
        for (const MlpLayer& layer : layers.first(layers.size() - 1)) {
          fmt::format_to(end, "{}\n", layer.num_outputs());
        }
        for (std::size_t l = 0; l < layers.size(); ++l) {
          for (std::size_t i = 0; i < layers[l].num_inputs; ++i) {
            fmt::format_to(end, "{} {}", l, i);
            for (std::size_t o = 0; o < layers[l].num_outputs(); ++o) {
              fmt::format_to(end, " {}", layers[l].weights_of(o)[i]);
            }
            text += '\n';
          }
          if (l > 0) continue;
          fmt::format_to(end, "0 {}", mlp.num_features());
          for (const MlpLayer& own : layers) {
            fmt::format_to(end, " {}", fmt::join(own.biases, " "));
          }
          text += '\n';
        }
        return text;
      },
      [](const auto&) -> std::string { return {}; });
}

}  // namespace glassrank
