#include "glassrank/base/alike.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include <fmt/format.h>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

std::string text_at(std::span<const std::string> texts, std::size_t at) {
  return at < texts.size() ? texts[at] : "nothing more";
}

}  // namespace

std::vector<std::vector<std::string>> gather_texts(const Communicator& communicator,
                                                   std::span<const std::string> own) {
  std::string bytes;  // each text behind its length
  for (const std::string& text : own) {
    const std::uint64_t size = text.size();
    bytes.append(reinterpret_cast<const char*>(&size), sizeof(size)).append(text);
  }
  std::vector<std::vector<std::string>> all;
  for (const Communicator::Bytes& part : communicator.gather(std::as_bytes(std::span(bytes)))) {
    std::vector<std::string>& texts = all.emplace_back();
    for (std::size_t at = 0; at < part.size();) {
      std::uint64_t size = 0;
      std::memcpy(&size, part.data() + at, sizeof(size));
      at += sizeof(size);
      texts.emplace_back(reinterpret_cast<const char*>(part.data()) + at, size);
      at += size;
    }
  }
  return all;
}

void require_alike(const Communicator& communicator, std::span<const Setting> own) {
  if (communicator.is_alone()) return;
  std::vector<std::string> lines;
  for (const auto& [name, value] : own) {
    lines.push_back(fmt::format("{} = {}", name, value.empty() ? "(nothing)" : value));
  }
  const auto all = gather_texts(communicator, lines);
  for (std::size_t machine = 1; machine < all.size(); ++machine) {
    const std::size_t most = std::max(all[0].size(), all[machine].size());
    for (std::size_t i = 0; i < most; ++i) {
      if (text_at(all[machine], i) == text_at(all[0], i)) continue;
      fail(ErrorKind::kUsage,
           "machine {} of {} was told {} where machine 1 was told {}; all must be told the same",
           machine + 1, all.size(), text_at(all[machine], i), text_at(all[0], i));
    }
  }
}

}  // namespace glassrank
