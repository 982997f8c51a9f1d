// A neural network as the body of a native model file.
//
//   objective TEXT
//   features N [named]           "named": N lines with the names follow
//   fills N                      N lines, one per feature; 0: missing values count as 0
//   layers N
//   layer OUTPUTS ACTIVATION     for each layer; then OUTPUTS lines
//   BIAS WEIGHT WEIGHT ...       one per output: its bias and a weight per input

#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "glassrank/models/io/native_text.h"
#include "glassrank/models/mlp/mlp.h"

namespace glassrank {
namespace {

Activation read_activation(NativeReader& reader, std::string_view word) {
  for (const auto& [name, activation] : EnumNames<Activation>::table()) {
    if (name == word) return activation;
  }
  reader.fail_here(fmt::format("unknown activation '{}'", word));
}

MlpLayer read_layer(NativeReader& reader, std::size_t num_inputs) {
  NativeWords header(reader);
  if (header.next() != "layer") reader.fail_here("'layer ...' is expected here");
  std::uint64_t num_outputs = 0;
  header.read(num_outputs);
  MlpLayer layer{.num_inputs = num_inputs, .weights = {}, .biases = {}};
  layer.activation = read_activation(reader, header.next());
  header.finish();
  reader.check_count(num_outputs);
  layer.biases.resize(num_outputs);
  for (double& bias : layer.biases) {
    NativeWords words(reader);
    words.read(bias);
    for (std::size_t i = 0; i < num_inputs; ++i) {
      layer.weights.push_back(0);
      words.read(layer.weights.back());
    }
    words.finish();
  }
  return layer;
}

}  // namespace

void write_native_body(std::string& out, const Mlp& mlp) {
  const auto end = std::back_inserter(out);
  out += "objective ";
  append_escaped(out, mlp.objective());
  out += '\n';
  write_native_features(out, mlp.num_features(), mlp.feature_names());
  fmt::format_to(end, "fills {}\n", mlp.parts().fills.size());
  for (const float fill : mlp.parts().fills) fmt::format_to(end, "{}\n", fill);
  fmt::format_to(end, "layers {}\n", mlp.layers().size());
  for (const MlpLayer& layer : mlp.layers()) {
    fmt::format_to(end, "layer {} {}\n", layer.num_outputs(), name_of(layer.activation));
    for (std::size_t o = 0; o < layer.num_outputs(); ++o) {
      fmt::format_to(end, "{}", layer.biases[o]);
      for (const double weight : layer.weights_of(o)) fmt::format_to(end, " {}", weight);
      out += '\n';
    }
  }
}

// Throws Error{kInput} "line N: ..." or, from Mlp, what it finds.
void read_native_body(NativeReader& reader, Mlp& mlp) {
  MlpParts parts;
  parts.objective = reader.unescape(reader.value("objective"));
  std::size_t num_inputs = 0;
  read_native_features(reader, num_inputs, parts.feature_names);
  parts.fills.resize(reader.count("fills"));
  for (float& fill : parts.fills) {
    NativeWords words(reader);
    words.read(fill);
    words.finish();
  }
  const std::size_t num_layers = reader.count("layers");
  for (std::size_t l = 0; l < num_layers; ++l) {
    parts.layers.push_back(read_layer(reader, num_inputs));
    num_inputs = parts.layers.back().num_outputs();
  }
  mlp = Mlp(std::move(parts));
}

}  // namespace glassrank
