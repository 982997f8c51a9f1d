#include "glassrank/boosting/packed_histogram.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <utility>

#include "glassrank/base/parallel.h"
#include "glassrank/boosting/gather_kernel.h"
#include "glassrank/boosting/quantise.h"

namespace glassrank {
namespace {

constexpr std::size_t kChunkRows = 512;
constexpr std::size_t kLineBytes = 64;
constexpr std::size_t kBoundRows = 16;  // overflow is looked at this often
// Fewer updates than this are not worth a second thread; from kDivideRows rows per thread on, each
// thread has planes of its own.
constexpr std::size_t kSerialUpdates = 30'000;
constexpr std::size_t kDivideRows = 4096;
constexpr std::size_t kPieceRows = 4 * kChunkRows;

// Codes of a chunk's groups are this far apart: not a whole page, lest their stores collide.
constexpr std::size_t kGroupStride = kChunkRows * kLanes + 64;

// table[code of slot k][k] += packed, for the slots of one row; unrolled.
template <std::size_t... kSlot>
inline void add_slots(const std::uint16_t* codes, std::int32_t packed, std::int32_t* table,
                      std::index_sequence<kSlot...>) {
  ((table[std::size_t{codes[kSlot]} + kSlot] += packed), ...);
}

template <std::size_t kSlots>
inline void add_row(const std::uint16_t* codes, std::int32_t packed, std::int32_t* table) {
  add_slots(codes, packed, table, std::make_index_sequence<kSlots>());
}

// One pass of a block over a chunk. Meanwhile one cache line each of the rows to come is fetched:
// of their codes, or of the packed gradients.
struct BlockPass {
  const std::uint16_t* first;
  const std::uint16_t* second;
  const std::int32_t* packed;
  std::size_t num_rows;
  std::span<const std::uint32_t> coming;  // at most num_rows
  const std::uint8_t* coming_bytes;
  std::size_t coming_stride;  // bytes from row to row

  template <typename AddRow>
  void run(AddRow&& add) const {
    std::size_t i = 0;
    for (; i < coming.size(); ++i) {
      __builtin_prefetch(coming_bytes + coming[i] * coming_stride, 0, 2);
      add(first + i * kLanes, second + i * kLanes, packed[i]);
    }
    for (; i < num_rows; ++i) add(first + i * kLanes, second + i * kLanes, packed[i]);
  }
};

template <std::size_t kSlots>
void add_rows(const BlockPass& pass, std::int32_t* table) {
  pass.run([&](const std::uint16_t* codes, const std::uint16_t*, std::int32_t packed) {
    add_row<kSlots>(codes, packed, table);
  });
}

template <std::size_t kSlots>
void add_rows_twice(const BlockPass& pass, std::int32_t* first, std::int32_t* second) {
  pass.run([&](const std::uint16_t* a, const std::uint16_t* b, std::int32_t packed) {
    add_row<kLanes>(a, packed, first);
    add_row<kSlots>(b, packed, second);
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
  for (const SlotGroup& group : blocks_.slot_groups()) {
    table_begins_.push_back(table_begins_.back() + group.num_codes * kLanes);
    num_single_groups_ += group.kind == SlotKind::kSingle ? 1 : 0;
    num_byte_groups_ += group.kind == SlotKind::kPair ? 0 : 1;
  }
  single_plane_size_ = table_begins_[num_single_groups_];
  workers_.resize(static_cast<std::size_t>(std::max(context_.threads->count(), 1)));
  for (std::size_t w = 0; w < workers_.size(); ++w) {
    Worker& worker = workers_[w];
    worker.tables = Buffer<std::int32_t>(table_begins_.back());
    std::fill_n(worker.tables.data(), worker.tables.size(), 0);
    worker.chunk_codes = Buffer<std::uint16_t>(kGroupStride * blocks_.slot_groups().size());
    worker.chunk_packed.resize(kChunkRows);
    if (w > 0) worker.planes = PackedHistogram(blocks_.plane_size());
    worker.joint = PackedHistogram(table_begins_.back() - single_plane_size_);
  }
}

// Zeroes the sums the work's groups are added to. Single groups lie in a plane as in the tables.
void HistogramBuilder::clear(Worker& worker, const Work& work) const {
  const auto zero = [&](PackedHistogram& planes, std::size_t first, std::size_t last) {
    std::fill_n(planes.gradient.data() + first, last - first, 0);
    std::fill_n(planes.hessian.data() + first, last - first, 0);
  };
  const std::size_t begin = table_begins_[work.first_group];
  const std::size_t end = table_begins_[work.last_group];
  const std::size_t border = single_plane_size_;
  zero(*work.out, std::min(begin, border), std::min(end, border));
  zero(worker.joint, std::max(begin, border) - border, std::max(end, border) - border);
}

void HistogramBuilder::flush(Worker& worker, const Work& work) const {
  worker.bound_g = 0;
  worker.bound_h = 0;
  for (std::size_t g = work.first_group; g < work.last_group; ++g) {
    const bool single = g < num_single_groups_;
    PackedHistogram& planes = single ? *work.out : worker.joint;
    const std::size_t at = table_begins_[g] - (single ? 0 : single_plane_size_);
    flush_table(worker.tables.data() + table_begins_[g], table_begins_[g + 1] - table_begins_[g],
                {.gradient = planes.gradient.data() + at, .hessian = planes.hessian.data() + at});
  }
}

// What a pass fetches of the rows to come: their lines one by one, then the packed gradients.
struct HistogramBuilder::Fetch {
  const std::uint8_t* bytes;
  std::size_t stride;
  bool exists;
};

HistogramBuilder::Fetch HistogramBuilder::fetch(const Work& work, std::size_t pass) const {
  const std::vector<SlotGroup>& groups = blocks_.slot_groups();
  const SlotGroup& last = groups[work.last_group - 1];
  const std::size_t first_byte = groups[work.first_group].byte;
  const std::size_t num_lines =
      (last.byte + last.num_bytes() - first_byte + kLineBytes - 1) / kLineBytes;
  if (pass < num_lines) {
    return {blocks_.rows() + first_byte + pass * kLineBytes, blocks_.row_stride(), true};
  }
  return {reinterpret_cast<const std::uint8_t*>(work.packed.data()), sizeof(std::int32_t),
          pass == num_lines};
}

// Copies the codes of rows [begin, end) together, group by group, and adds them to the tables: two
// groups of one-byte slots at a time, their tables fit the first-level cache together.
void HistogramBuilder::add_chunk(Worker& worker, const Work& work, std::size_t begin,
                                 std::size_t end) const {
  const std::vector<SlotGroup>& groups = blocks_.slot_groups();
  const std::size_t first_pair = std::clamp(num_byte_groups_, work.first_group, work.last_group);
  gather_codes({.rows = blocks_.rows(),
                .row_stride = blocks_.row_stride(),
                .byte = groups[work.first_group].byte,
                .num_bytes = first_pair - work.first_group,
                .num_pairs = work.last_group - first_pair},
               work.rows.subspan(begin, end - begin), worker.chunk_codes.data(), kGroupStride);
  const std::size_t num_coming = std::min(end - begin, work.rows.size() - end);
  const std::uint16_t* codes = worker.chunk_codes.data();
  std::size_t num_passes = 0;
  for (std::size_t g = work.first_group; g < work.last_group;) {
    const bool two = g + 1 < first_pair;
    const Fetch next = fetch(work, num_passes++);
    const BlockPass pass{.first = codes,
                         .second = codes + (two ? kGroupStride : 0),
                         .packed = worker.chunk_packed.data(),
                         .num_rows = end - begin,
                         .coming = work.rows.subspan(end, next.exists ? num_coming : 0),
                         .coming_bytes = next.bytes,
                         .coming_stride = next.stride};
    std::int32_t* table = worker.tables.data() + table_begins_[g];
    if (two) {
      add_two_groups(pass, groups[g + 1].num_slots, table,
                     worker.tables.data() + table_begins_[g + 1]);
    } else {
      add_one_group(pass, groups[g].num_slots, table);
    }
    g += two ? 2 : 1;
    codes += (two ? 2 : 1) * kGroupStride;
  }
}

void HistogramBuilder::add_rows(Worker& worker, const Work& work) const {
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
      if (worker.bound_g + sum_g > 32'767 || worker.bound_h + sum_h > 65'535) break;
      worker.bound_g += sum_g;
      worker.bound_h += sum_h;
      end = stop;
    }
    if (end > begin) add_chunk(worker, work, begin, end);
    if (end < limit) flush(worker, work);
    begin = end;
  }
}

void HistogramBuilder::run(Worker& worker, const Work& work) const {
  if (work.first_group == work.last_group) return;
  clear(worker, work);
  add_rows(worker, work);
  flush(worker, work);
}

void HistogramBuilder::sum_shared(const PackedHistogram& joint, std::size_t at,
                                  const SlotGroup& group, PackedHistogram& out) const {
  for (std::size_t s = 0; s < group.num_slots; ++s) {
    const SlotPart& outer = group.slots[s].back();
    const std::size_t num_codes = outer.stride * outer.num_codes;
    for (const SlotPart& part : group.slots[s]) {
      const FeaturePlace place = blocks_.place(part.feature);
      const std::size_t to = blocks_.feature_groups()[place.group].begin + place.lane;
      for (std::size_t code = 0; code < num_codes; ++code) {
        const std::size_t own = to + code / part.stride % part.num_codes * kLanes;
        out.gradient[own] += joint.gradient[at + code * kLanes + s];
        out.hessian[own] += joint.hessian[at + code * kLanes + s];
      }
    }
  }
}

// Adds the marginals of shared slots and pairs to their features' sums.
void HistogramBuilder::sum_joint(const Worker& worker, std::size_t first_group,
                                 std::size_t last_group, PackedHistogram& out) const {
  for (std::size_t g = std::max(first_group, num_single_groups_); g < last_group; ++g) {
    const SlotGroup& group = blocks_.slot_groups()[g];
    const std::size_t at = table_begins_[g] - single_plane_size_;
    if (group.kind == SlotKind::kShared) {
      sum_shared(worker.joint, at, group, out);
      continue;
    }
    const FeatureGroup& first = blocks_.feature_groups()[group.feature_group];
    const FeatureGroup& second = blocks_.feature_groups()[group.feature_group + 1];
    const auto add = [&](const Buffer<std::int32_t>& joint, Buffer<std::int32_t>& plane) {
      add_marginals(joint.data() + at, group.num_codes * kLanes, plane.data() + first.begin,
                    first.num_codes * kLanes, plane.data() + second.begin);
    };
    add(worker.joint.gradient, out.gradient);
    add(worker.joint.hessian, out.hessian);
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
  // What lies beyond the single groups is summed into, never written whole.
  const std::size_t rest = blocks_.plane_size() - single_plane_size_;
  std::fill_n(out.gradient.data() + single_plane_size_, rest, 0);
  std::fill_n(out.hessian.data() + single_plane_size_, rest, 0);
  if (serial) {
    run(workers_[0], {rows, packed, 0, num_groups, &out});
    sum_joint(workers_[0], 0, num_groups, out);
  } else if (rows.size() >= num_workers * kDivideRows) {
    // Small pieces, taken by whoever is free: processors are rarely equally fast.
    std::atomic<std::size_t> next = 0;
    context_.threads->run(num_workers, [&](std::size_t w) {
      Work work{{}, packed, 0, num_groups, w == 0 ? &out : &workers_[w].planes};
      clear(workers_[w], work);
      for (std::size_t at = 0; (at = next.fetch_add(kPieceRows)) < rows.size();) {
        work.rows = rows.subspan(at, std::min(kPieceRows, rows.size() - at));
        add_rows(workers_[w], work);
      }
      flush(workers_[w], work);
    });
    for (std::size_t w = 0; w < num_workers; ++w) {
      sum_joint(workers_[w], 0, num_groups, out);
      if (w == 0) continue;
      add_planes(out.gradient.data(), workers_[w].planes.gradient.data(), single_plane_size_);
      add_planes(out.hessian.data(), workers_[w].planes.hessian.data(), single_plane_size_);
    }
  } else {
    const auto first = [&](std::size_t w) { return num_groups * w / num_workers; };
    context_.threads->run(num_workers, [&](std::size_t w) {
      run(workers_[w], {rows, packed, first(w), first(w + 1), &out});
    });
    for (std::size_t w = 0; w < num_workers; ++w) {
      sum_joint(workers_[w], first(w), first(w + 1), out);
    }
  }
  add_wide(rows, packed, out);
}

}  // namespace glassrank
