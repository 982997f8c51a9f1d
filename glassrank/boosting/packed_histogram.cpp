#include "glassrank/boosting/packed_histogram.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "glassrank/base/parallel.h"
#include "glassrank/boosting/quantise.h"

namespace glassrank {
namespace {

constexpr std::size_t kChunkRows = 512;
constexpr std::size_t kBlockGroups = 2;  // 32 KiB of tables
constexpr std::size_t kBlockBytes = kBlockGroups * kLanes;
constexpr std::size_t kLineBytes = 64;
constexpr std::size_t kBoundRows = 16;  // overflow is looked at this often
// Fewer updates than this are not worth a second thread; from kDivideRows rows per thread on, each
// thread has planes of its own.
constexpr std::size_t kSerialUpdates = 30'000;
constexpr std::size_t kDivideRows = 4096;

// table[code of slot k][k] += packed, for the slots of one row. The bytes come eight at a time:
// fewer loads than one per slot.
template <std::size_t kSlots>
inline void add_row(const std::uint8_t* codes, std::int32_t packed, std::int32_t* table) {
  for (std::size_t word = 0; word < kSlots; word += 8) {
    std::uint64_t eight;
    std::memcpy(&eight, codes + word, 8);
    for (std::size_t k = 0; k < 8 && word + k < kSlots; ++k) {
      table[((eight >> (8 * k)) & 0xff) * kLanes + word + k] += packed;
    }
  }
}

// One pass of a block over a chunk. Meanwhile one cache line each of the rows to come is fetched.
struct BlockPass {
  const std::uint8_t* bytes;  // kBlockBytes a row
  const std::int32_t* packed;
  std::size_t num_rows;
  std::span<const std::uint32_t> coming;  // at most num_rows
  const std::uint8_t* coming_bytes;
  std::size_t row_stride;

  template <typename AddRow>
  void run(AddRow&& add) const {
    std::size_t i = 0;
    for (; i < coming.size(); ++i) {
      __builtin_prefetch(coming_bytes + coming[i] * row_stride, 0, 2);
      add(bytes + i * kBlockBytes, packed[i]);
    }
    for (; i < num_rows; ++i) add(bytes + i * kBlockBytes, packed[i]);
  }
};

template <std::size_t kSlots>
void add_rows(const BlockPass& pass, std::int32_t* table) {
  pass.run([&](const std::uint8_t* codes, std::int32_t packed) {
    add_row<kSlots>(codes, packed, table);
  });
}

template <std::size_t kSlots>
void add_rows_twice(const BlockPass& pass, std::int32_t* first, std::int32_t* second) {
  pass.run([&](const std::uint8_t* codes, std::int32_t packed) {
    add_row<kLanes>(codes, packed, first);
    add_row<kSlots>(codes + kLanes, packed, second);
  });
}

// Empty slots are left out four at a time; the rest of them count where nobody looks.
void add_one_group(const BlockPass& pass, std::size_t num_slots, std::int32_t* table) {
  if (num_slots <= 4) return add_rows<4>(pass, table);
  if (num_slots <= 8) return add_rows<8>(pass, table);
  if (num_slots <= 12) return add_rows<12>(pass, table);
  add_rows<16>(pass, table);
}

void add_two_groups(const BlockPass& pass, std::size_t num_slots, std::int32_t* first,
                    std::int32_t* second) {
  if (num_slots <= 4) return add_rows_twice<4>(pass, first, second);
  if (num_slots <= 8) return add_rows_twice<8>(pass, first, second);
  if (num_slots <= 12) return add_rows_twice<12>(pass, first, second);
  add_rows_twice<16>(pass, first, second);
}

}  // namespace

HistogramBuilder::HistogramBuilder(const BinnedDataset& data, const RowBlocks& blocks,
                                   Context context)
    : data_(data), blocks_(blocks), context_(std::move(context)), table_begins_(1) {
  std::size_t shared_size = 0;
  for (std::size_t g = 0; g < blocks_.slot_groups().size(); ++g) {
    const std::size_t size = blocks_.slot_groups()[g].num_codes * kLanes;
    table_begins_.push_back(table_begins_.back() + size);
    if (g >= blocks_.num_single_groups()) shared_size += size;
  }
  workers_.resize(static_cast<std::size_t>(std::max(context_.threads->count(), 1)));
  for (std::size_t w = 0; w < workers_.size(); ++w) {
    Worker& worker = workers_[w];
    worker.tables = Buffer<std::int32_t>(table_begins_.back());
    std::fill_n(worker.tables.data(), worker.tables.size(), 0);
    worker.chunk_bytes =
        Buffer<std::uint8_t>(kChunkRows * (blocks_.row_stride() + 2 * kBlockBytes));
    worker.chunk_packed.resize(kChunkRows);
    if (w > 0) worker.planes = PackedHistogram(blocks_.plane_size());
    worker.shared = PackedHistogram(shared_size);
  }
}

void HistogramBuilder::clear(PackedHistogram& planes, std::size_t first_group,
                             std::size_t last_group) const {
  for (std::size_t g = first_group; g < last_group; ++g) {
    const FeatureGroup& group = blocks_.feature_groups()[g];
    std::fill_n(planes.gradient.data() + group.begin, group.num_codes * kLanes, 0);
    std::fill_n(planes.hessian.data() + group.begin, group.num_codes * kLanes, 0);
  }
}

void HistogramBuilder::flush(Worker& worker, const Work& work) const {
  const std::size_t num_single = blocks_.num_single_groups();
  const std::size_t shared_begin = table_begins_[num_single];
  for (std::size_t g = work.first_group; g < work.last_group; ++g) {
    const bool single = g < num_single;
    PackedHistogram& planes = single ? *work.out : worker.shared;
    const std::size_t at =
        single ? blocks_.feature_groups()[g].begin : table_begins_[g] - shared_begin;
    flush_table(worker.tables.data() + table_begins_[g], table_begins_[g + 1] - table_begins_[g],
                {.gradient = planes.gradient.data() + at, .hessian = planes.hessian.data() + at});
  }
}

// Copies the bytes of rows [begin, end) together, block by block, and adds each block to its
// tables.
void HistogramBuilder::add_chunk(Worker& worker, const Work& work, std::size_t begin,
                                 std::size_t end) const {
  const std::size_t stride = blocks_.row_stride();
  const std::size_t num_groups = work.last_group - work.first_group;
  const std::size_t num_blocks = (num_groups + kBlockGroups - 1) / kBlockGroups;
  const std::uint8_t* source = blocks_.rows() + work.first_group * kLanes;
  for (std::size_t i = 0; i < end - begin; ++i) {
    const std::uint8_t* row = source + work.rows[begin + i] * stride;
    std::uint8_t* to = worker.chunk_bytes.data() + i * kBlockBytes;
    for (std::size_t b = 0; b < num_blocks; ++b) {
      std::memcpy(to + b * kChunkRows * kBlockBytes, row + b * kBlockBytes, kBlockBytes);
    }
  }
  const std::size_t num_lines = (num_groups * kLanes + kLineBytes - 1) / kLineBytes;
  const std::size_t num_coming = std::min(end - begin, work.rows.size() - end);
  const std::vector<SlotGroup>& groups = blocks_.slot_groups();
  for (std::size_t b = 0; b < num_blocks; ++b) {
    const BlockPass pass{.bytes = worker.chunk_bytes.data() + b * kChunkRows * kBlockBytes,
                         .packed = worker.chunk_packed.data(),
                         .num_rows = end - begin,
                         .coming = work.rows.subspan(end, b < num_lines ? num_coming : 0),
                         .coming_bytes = source + b * kLineBytes,
                         .row_stride = stride};
    const std::size_t g = work.first_group + b * kBlockGroups;
    std::int32_t* table = worker.tables.data() + table_begins_[g];
    if (g + 1 < work.last_group) {
      add_two_groups(pass, groups[g + 1].num_slots, table,
                     worker.tables.data() + table_begins_[g + 1]);
    } else {
      add_one_group(pass, groups[g].num_slots, table);
    }
  }
}

void HistogramBuilder::run(Worker& worker, const Work& work) const {
  const std::size_t num_single = blocks_.num_single_groups();
  clear(*work.out, std::min(work.first_group, num_single), std::min(work.last_group, num_single));
  if (work.last_group > num_single) {
    const std::size_t first = std::max(work.first_group, num_single);
    const std::size_t at = table_begins_[first] - table_begins_[num_single];
    const std::size_t size = table_begins_[work.last_group] - table_begins_[first];
    std::fill_n(worker.shared.gradient.data() + at, size, 0);
    std::fill_n(worker.shared.hessian.data() + at, size, 0);
  }
  std::int32_t bound_g = 0;
  std::int32_t bound_h = 0;
  for (std::size_t begin = 0; begin < work.rows.size();) {
    const std::size_t limit = std::min(begin + kChunkRows, work.rows.size());
    std::size_t end = begin;
    while (end < limit) {
      const std::size_t stop = std::min(end + kBoundRows, limit);
      std::int32_t sum_g = 0;
      std::int32_t sum_h = 0;
      for (std::size_t i = end; i < stop; ++i) {
        const std::int32_t value = work.packed[work.rows[i]];
        worker.chunk_packed[i - begin] = value;
        sum_g += std::abs(packed_gradient(value));
        sum_h += packed_hessian(value);
      }
      if (bound_g + sum_g > 32'767 || bound_h + sum_h > 65'535) break;
      bound_g += sum_g;
      bound_h += sum_h;
      end = stop;
    }
    if (end > begin) add_chunk(worker, work, begin, end);
    if (end < limit) {
      flush(worker, work);
      bound_g = 0;
      bound_h = 0;
    }
    begin = end;
  }
  flush(worker, work);
}

void HistogramBuilder::sum_shared(const Worker& worker, std::size_t first_group,
                                  std::size_t last_group, PackedHistogram& out) const {
  const PackedHistogram& shared = worker.shared;
  const std::size_t num_single = blocks_.num_single_groups();
  for (std::size_t g = std::max(first_group, num_single); g < last_group; ++g) {
    const SlotGroup& group = blocks_.slot_groups()[g];
    const std::size_t at = table_begins_[g] - table_begins_[num_single];
    for (std::size_t s = 0; s < group.num_slots; ++s) {
      for (const SlotPart& part : group.slots[s]) {
        const FeaturePlace place = blocks_.place(part.feature);
        const std::size_t to = blocks_.feature_groups()[place.group].begin + place.lane;
        const SlotPart& outer = group.slots[s].back();
        const std::size_t num_codes = outer.stride * outer.num_codes;
        for (std::size_t code = 0; code < num_codes; ++code) {
          const std::size_t own = to + code / part.stride % part.num_codes * kLanes;
          out.gradient[own] += shared.gradient[at + code * kLanes + s];
          out.hessian[own] += shared.hessian[at + code * kLanes + s];
        }
      }
    }
  }
}

void HistogramBuilder::add_wide(std::span<const std::uint32_t> rows,
                                std::span<const std::int32_t> packed, PackedHistogram& out) const {
  const auto& groups = blocks_.feature_groups();
  const std::size_t first = blocks_.first_wide_group();
  parallel_for(context_, (groups.size() - first) * kLanes, 1, [&](std::size_t i, std::size_t) {
    const FeatureGroup& group = groups[first + i / kLanes];
    if (group.features[i % kLanes] == kNoFeature) return;
    const auto codes = data_.column(group.features[i % kLanes]).wide();
    std::int32_t* gradient = out.gradient.data() + group.begin + i % kLanes;
    std::int32_t* hessian = out.hessian.data() + group.begin + i % kLanes;
    for (const std::uint32_t row : rows) {
      gradient[codes[row] * kLanes] += packed_gradient(packed[row]);
      hessian[codes[row] * kLanes] += packed_hessian(packed[row]);
    }
  });
}

void HistogramBuilder::build(std::span<const std::uint32_t> rows,
                             std::span<const std::int32_t> packed, PackedHistogram& out) {
  const std::size_t num_groups = blocks_.slot_groups().size();
  const std::size_t num_workers = workers_.size();
  const bool serial = num_workers == 1 || rows.size() * num_groups * kLanes < kSerialUpdates;
  clear(out, blocks_.num_single_groups(), blocks_.feature_groups().size());
  if (serial) {
    run(workers_[0], {rows, packed, 0, num_groups, &out});
    sum_shared(workers_[0], 0, num_groups, out);
  } else if (rows.size() >= num_workers * kDivideRows) {
    context_.threads->run(num_workers, [&](std::size_t w) {
      const std::size_t begin = rows.size() * w / num_workers;
      const std::size_t end = rows.size() * (w + 1) / num_workers;
      PackedHistogram& planes = w == 0 ? out : workers_[w].planes;
      run(workers_[w], {rows.subspan(begin, end - begin), packed, 0, num_groups, &planes});
    });
    const std::size_t single_size = table_begins_[blocks_.num_single_groups()];
    for (std::size_t w = 0; w < num_workers; ++w) {
      sum_shared(workers_[w], 0, num_groups, out);
      if (w == 0) continue;
      add_planes(out.gradient.data(), workers_[w].planes.gradient.data(), single_size);
      add_planes(out.hessian.data(), workers_[w].planes.hessian.data(), single_size);
    }
  } else {
    const auto first = [&](std::size_t w) { return num_groups * w / num_workers; };
    context_.threads->run(num_workers, [&](std::size_t w) {
      run(workers_[w], {rows, packed, first(w), first(w + 1), &out});
    });
    for (std::size_t w = 0; w < num_workers; ++w) {
      sum_shared(workers_[w], first(w), first(w + 1), out);
    }
  }
  add_wide(rows, packed, out);
}

}  // namespace glassrank
