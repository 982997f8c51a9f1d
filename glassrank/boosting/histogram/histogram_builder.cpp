#include "glassrank/boosting/histogram/histogram_builder.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <utility>

#include "glassrank/base/parallel.h"
#include "glassrank/boosting/histogram/chunk_pass.h"
#include "glassrank/boosting/histogram/gather_kernel.h"

namespace glassrank {
namespace {

constexpr std::size_t kChunkRows = 512;
constexpr std::size_t kLineBytes = 64;
constexpr std::size_t kBoundRows = 16;  // overflow is looked at this often
// Fewer updates than this are not worth a second thread; from kDivideRows rows per thread on, each
// thread has planes of its own.
constexpr std::size_t kSerialUpdates = 30'000;
constexpr std::size_t kDivideRows = 4096;
constexpr std::size_t kExtraAdditions = 6;  // what extras of a list cost, about
constexpr std::size_t kPieceRows = 8 * kChunkRows;

// Codes of a chunk's passes are this far apart: not a whole page, lest their stores collide.
constexpr std::size_t kPassStride = kChunkRows * kPassBytes + 64;

std::size_t table_stride(const FieldGroup& group) {
  return group.kind == FieldKind::kPair ? kPairStride : kByteStride;
}

// RowSums::add for at most kBoundRows rows: their sums fit 32 bits, which compilers vectorise.
RowSums sum_rows(std::span<const std::int32_t> packed) {
  std::int32_t gradient = 0;
  std::int32_t gradient_size = 0;
  std::int32_t hessian = 0;
  for (const std::int32_t value : packed) {
    gradient += packed_gradient(value);
    gradient_size += std::abs(packed_gradient(value));
    hessian += packed_hessian(value);
  }
  return {.gradient = gradient, .gradient_size = gradient_size, .hessian = hessian};
}

bool has_own_planes(const FieldGroup& group) {
  return group.kind == FieldKind::kListed || group.kind == FieldKind::kSingle;
}

}  // namespace

HistogramBuilder::HistogramBuilder(const BinnedDataset& data, const RowBlocks& blocks,
                                   Context context)
    : data_(data),
      blocks_(blocks),
      context_(std::move(context)),
      plane_begins_(1),
      table_begins_(1),
      additions_before_(1) {
  for (const FieldGroup& group : blocks_.field_groups()) {
    const std::size_t stride = table_stride(group);
    plane_begins_.push_back(plane_begins_.back() + group.num_codes * kLanes);
    table_begins_.push_back(table_begins_.back() + group.num_fields * stride);
    num_plain_groups_ += has_own_planes(group) ? 1 : 0;
    additions_before_.push_back(additions_before_.back() +
                                (group.kind == FieldKind::kListed ? 0 : group.num_fields));
  }
  // Those of a list count where it begins.
  for (const RowList& list : blocks_.lists()) {
    for (std::size_t g = list.first_group + 1; g < additions_before_.size(); ++g) {
      additions_before_[g] += list.plan.width + kExtraAdditions;
    }
  }
  plain_plane_size_ = plane_begins_[num_plain_groups_];
  workers_.resize(static_cast<std::size_t>(std::max(context_.threads->count(), 1)));
  for (std::size_t w = 0; w < workers_.size(); ++w) {
    Worker& worker = workers_[w];
    // Flushes read beyond the last field.
    worker.tables = Buffer<std::int32_t>(table_begins_.back() + kLanes * kPairStride);
    std::fill_n(worker.tables.data(), worker.tables.size(), 0);
    worker.chunk_codes = Buffer<std::uint8_t>(kPassStride * blocks_.field_groups().size());
    worker.chunk_packed.resize(kChunkRows);
    if (w > 0) worker.planes = PackedHistogram(blocks_.plane_size());
    worker.joint = PackedHistogram(plane_begins_.back() - plain_plane_size_);
  }
}

// Listed and single groups lie in a plane as in the tables.
void HistogramBuilder::flush(Worker& worker, const Work& work, bool packed) const {
  const Flush mode = packed ? Flush::kPacked : worker.is_empty ? Flush::kOverwrite : Flush::kAdd;
  worker.is_empty = false;
  worker.since_flush = {};
  for (std::size_t g = work.first_group; g < work.last_group; ++g) {
    const FieldGroup& group = blocks_.field_groups()[g];
    const bool plain = g < num_plain_groups_;
    PackedHistogram& planes = plain ? *work.out : worker.joint;
    const std::size_t at = plane_begins_[g] - (plain ? 0 : plain_plane_size_);
    flush_table({.values = worker.tables.data() + table_begins_[g],
                 .stride = table_stride(group),
                 .num_fields = group.num_fields,
                 .num_codes = group.num_codes},
                mode,
                {.gradient = planes.gradient.data() + at, .hessian = planes.hessian.data() + at});
  }
}

// What a pass fetches of the rows to come: their lines one by one, then the packed gradients. The
// longest passes come first: they have most time for it.
struct HistogramBuilder::Fetch {
  const std::uint8_t* bytes;
  std::size_t stride;
  bool exists;
};

HistogramBuilder::Fetch HistogramBuilder::fetch(const Work& work, std::size_t pass) const {
  const std::vector<std::size_t>& bytes = work.of_groups.bytes;
  const std::size_t first_byte = bytes.front();
  const std::size_t last_byte = std::min(bytes.back() + kPassBytes, blocks_.row_stride());
  const std::size_t num_lines = (last_byte - first_byte + kLineBytes - 1) / kLineBytes;
  const std::size_t turn = work.of_groups.passes[pass].turn;
  if (turn < num_lines) {
    return {blocks_.rows() + first_byte + turn * kLineBytes, blocks_.row_stride(), true};
  }
  return {reinterpret_cast<const std::uint8_t*>(work.packed.data()), sizeof(std::int32_t),
          turn == num_lines};
}

// Lists, then fields of one byte 32 at a time, whichever groups they are of: bytes and tables have
// no gaps. Then the pairs, group by group.
HistogramBuilder::Passes HistogramBuilder::passes(std::size_t first_group,
                                                  std::size_t last_group) const {
  Passes result;
  const auto add = [&](std::size_t byte, const Pass& pass) {
    result.bytes.push_back(byte);
    result.passes.push_back(pass);
  };
  for (const RowList& list : blocks_.lists()) {
    if (list.first_group < first_group || list.first_group >= last_group) continue;
    add(list.byte, {.kind = PassKind::kList,
                    .num_adds = list.plan.width,
                    .table = table_begins_[list.first_group],
                    .extras = &list.extras});
  }
  for (std::size_t g = first_group; g < last_group; ++g) {
    const FieldGroup& group = blocks_.field_groups()[g];
    if (group.kind == FieldKind::kListed) continue;
    const bool is_pair = group.kind == FieldKind::kPair;
    for (std::size_t field = 0; field < group.num_fields;) {
      const bool fits = !is_pair && !result.passes.empty() &&
                        result.passes.back().kind == PassKind::kBytes &&
                        result.passes.back().num_adds < kPassBytes;
      if (!fits) {
        add(group.byte + field, {.kind = is_pair ? PassKind::kPairs : PassKind::kBytes,
                                 .table = table_begins_[g] + field * table_stride(group)});
      }
      Pass& pass = result.passes.back();
      const std::size_t taken = std::min(kPassBytes - pass.num_adds, group.num_fields - field);
      pass.num_adds += taken;
      field += taken;
    }
  }
  for (Pass& pass : result.passes) {
    for (const Pass& other : result.passes) {
      pass.turn +=
          other.num_adds > pass.num_adds || (other.num_adds == pass.num_adds && &other < &pass) ? 1
                                                                                                : 0;
    }
  }
  return result;
}

// Copies the codes of rows [begin, end) together and adds them to the tables, pass by pass.
void HistogramBuilder::add_chunk(Worker& worker, const Work& work, std::size_t begin,
                                 std::size_t end) const {
  const auto rows = work.rows.subspan(begin, end - begin);
  const auto& [passes, bytes] = work.of_groups;
  gather_pieces({.rows = blocks_.rows(),
                 .row_stride = blocks_.row_stride(),
                 .pieces = bytes,
                 .out = worker.chunk_codes.data(),
                 .out_stride = kPassStride},
                rows);
  const std::size_t num_coming = std::min(end - begin, work.rows.size() - end);
  for (std::size_t p = 0; p < passes.size(); ++p) {
    const Fetch next = fetch(work, p);
    const ChunkPass chunk{.codes = worker.chunk_codes.data() + p * kPassStride,
                          .packed = worker.chunk_packed.data(),
                          .num_rows = end - begin,
                          .coming = work.rows.subspan(end, next.exists ? num_coming : 0),
                          .coming_bytes = next.bytes,
                          .coming_stride = next.stride};
    const Pass& pass = passes[p];
    std::int32_t* values = worker.tables.data() + pass.table;
    if (pass.kind == PassKind::kPairs) {
      add_pairs(chunk, pass.num_adds, values);
    } else if (pass.kind == PassKind::kBytes) {
      add_bytes(chunk, pass.num_adds, values);
    } else {
      add_entries(chunk, pass.num_adds, values);
      if (!pass.extras->empty()) pass.extras->add(rows, worker.chunk_packed.data(), values);
    }
  }
}

void HistogramBuilder::add_rows(Worker& worker, const Work& work) const {
  for (std::size_t begin = 0; begin < work.rows.size();) {
    const std::size_t limit = std::min(begin + kChunkRows, work.rows.size());
    std::size_t end = begin;
    while (end < limit) {
      const std::size_t stop = std::min(end + kBoundRows, limit);
      std::int32_t* const values = worker.chunk_packed.data() + (end - begin);
      for (std::size_t i = end; i < stop; ++i) values[i - end] = work.packed[work.rows[i]];
      const RowSums sums = sum_rows({values, stop - end});
      RowSums in_tables = worker.since_flush;
      in_tables += sums;
      if (!in_tables.fit_words()) break;
      worker.since_flush = in_tables;
      worker.since_begin += sums;
      end = stop;
    }
    if (end > begin) add_chunk(worker, work, begin, end);
    if (end < limit) flush(worker, work, false);
    begin = end;
  }
}

void HistogramBuilder::begin(Worker& worker) {
  worker.is_empty = true;
  worker.since_begin = {};
}

// All rows of some groups.
void HistogramBuilder::run(Worker& worker, const Work& work) const {
  begin(worker);
  if (work.first_group == work.last_group) return;
  add_rows(worker, work);
  const RowSums& sums = worker.since_begin;
  const auto gradient = static_cast<std::int32_t>(sums.gradient);
  const auto hessian = static_cast<std::int32_t>(sums.hessian);
  const bool packed = sums.fit_words();
  flush(worker, work, packed);
  finish(kPlanes[0], work, worker.joint, packed ? pack(gradient, hessian) : gradient);
  if (!packed) finish(kPlanes[1], work, worker.joint, hessian);
}

// own[code of a part] += the sum over the codes of the others.
void HistogramBuilder::sum_shared(Plane plane, const std::int32_t* joint, const FieldGroup& group,
                                  PackedHistogram& out) const {
  for (std::size_t s = 0; s < group.num_fields; ++s) {
    const FieldPart& last = group.fields[s].back();
    const std::size_t num_codes = last.stride * last.num_codes;
    for (const FieldPart& part : group.fields[s]) {
      const FeaturePlace place = blocks_.place(part.feature);
      std::int32_t* own =
          (out.*plane).data() + blocks_.feature_groups()[place.group].begin + place.lane;
      for (std::size_t code = 0; code < num_codes;) {
        for (std::size_t c = 0; c < part.num_codes; ++c) {
          const std::size_t end = code + part.stride;
          for (; code < end; ++code) own[c * kLanes] += joint[code * kLanes + s];
        }
      }
    }
  }
}

// What is not in the tables as it is: marginals of shared fields and pairs, and commonest codes.
void HistogramBuilder::finish(Plane plane, const Work& work, const PackedHistogram& joint,
                              std::int32_t total) const {
  std::int32_t* values = (work.out->*plane).data();
  for (std::size_t g = std::max(work.first_group, num_plain_groups_); g < work.last_group; ++g) {
    const FieldGroup& group = blocks_.field_groups()[g];
    const std::int32_t* sums = (joint.*plane).data() + plane_begins_[g] - plain_plane_size_;
    if (group.kind == FieldKind::kShared) {
      sum_shared(plane, sums, group, *work.out);
      continue;
    }
    const FeatureGroup& first = blocks_.feature_groups()[group.feature_group];
    const FeatureGroup& second = blocks_.feature_groups()[group.feature_group + 1];
    add_marginals(sums, group.num_codes * kLanes, values + first.begin, first.num_codes * kLanes,
                  values + second.begin);
  }
  for (const RowList& list : blocks_.lists()) {
    if (list.first_group < work.first_group || list.first_group >= work.last_group) continue;
    for (std::size_t g = list.first_group; g < list.last_group; ++g) {
      const FieldGroup& group = blocks_.field_groups()[g];
      std::array<std::uint8_t, kLanes> open{};  // lanes without a field get sums nobody reads
      std::copy_n(list.plan.commonest.data() + (g - list.first_group) * kLanes, group.num_fields,
                  open.data());
      complete_lanes(values + plane_begins_[g], group.num_codes, total, open.data());
    }
  }
}

// Adds up what the workers have in one plane.
void HistogramBuilder::merge(Plane plane, const Work& work) {
  Buffer<std::int32_t>& joint = workers_[0].joint.*plane;
  for (std::size_t w = 1; w < workers_.size(); ++w) {
    add_planes((work.out->*plane).data(), (workers_[w].planes.*plane).data(), plain_plane_size_);
    add_planes(joint.data(), (workers_[w].joint.*plane).data(), joint.size());
  }
  const RowSums& rows = work.out->rows;
  const std::int64_t total = plane == &PackedHistogram::gradient ? rows.gradient : rows.hessian;
  finish(plane, work, workers_[0].joint, static_cast<std::int32_t>(total));
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
    if (out.is_packed) {
      for (const std::uint32_t row : rows) gradient[codes[row] * kLanes] += packed[row];
      return;
    }
    for (const std::uint32_t row : rows) {
      gradient[codes[row] * kLanes] += packed_gradient(packed[row]);
      hessian[codes[row] * kLanes] += packed_hessian(packed[row]);
    }
  });
}

// Blocks are shared out by their additions; a list is one worker's.
std::size_t HistogramBuilder::first_group_of(std::size_t worker) const {
  const std::size_t wanted = additions_before_.back() * worker / workers_.size();
  const auto distance = [&](std::size_t before) {
    return before > wanted ? before - wanted : wanted - before;
  };
  const auto group = static_cast<std::size_t>(
      std::ranges::min_element(additions_before_, {}, distance) - additions_before_.begin());
  for (const RowList& list : blocks_.lists()) {
    if (group > list.first_group && group < list.last_group) return list.last_group;
  }
  return group;
}

// Small pieces, taken by whoever is free: processors are rarely equally fast.
void HistogramBuilder::build_by_rows(const Work& whole) {
  const std::size_t num_workers = workers_.size();
  const std::size_t num_rows = whole.rows.size();
  const std::size_t turns = (num_rows + num_workers * kPieceRows - 1) / (num_workers * kPieceRows);
  const std::size_t piece_rows = (num_rows + num_workers * turns - 1) / (num_workers * turns);
  std::atomic<std::size_t> next = 0;
  context_.threads->run(num_workers, [&](std::size_t w) {
    Work work = whole;
    if (w > 0) work.out = &workers_[w].planes;
    begin(workers_[w]);
    for (std::size_t at = 0; (at = next.fetch_add(piece_rows)) < num_rows;) {
      work.rows = whole.rows.subspan(at, std::min(piece_rows, num_rows - at));
      add_rows(workers_[w], work);
    }
    flush(workers_[w], work, false);
  });
  whole.out->rows = {};
  for (const Worker& worker : workers_) whole.out->rows += worker.since_begin;
  context_.threads->run(kPlanes.size(), [&](std::size_t p) { merge(kPlanes[p], whole); });
}

void HistogramBuilder::build_by_blocks(const Work& whole) {
  context_.threads->run(workers_.size(), [&](std::size_t w) {
    Work work = whole;
    work.first_group = first_group_of(w);
    work.last_group = first_group_of(w + 1);
    work.of_groups = passes(work.first_group, work.last_group);
    run(workers_[w], work);
  });
  // Whoever had groups saw all rows.
  const auto had_groups = [](const Worker& worker) { return !worker.is_empty; };
  whole.out->rows = std::ranges::find_if(workers_, had_groups)->since_begin;
}

void HistogramBuilder::build(std::span<const std::uint32_t> rows,
                             std::span<const std::int32_t> packed, PackedHistogram& out) {
  const std::size_t num_groups = blocks_.field_groups().size();
  const std::size_t num_workers = workers_.size();
  // What lies beyond the single groups is summed into, never written whole.
  const std::size_t rest = blocks_.plane_size() - plain_plane_size_;
  std::fill_n(out.gradient.data() + plain_plane_size_, rest, 0);
  std::fill_n(out.hessian.data() + plain_plane_size_, rest, 0);
  out.is_packed = false;
  Work whole{rows, packed, 0, num_groups, &out};
  if (num_groups == 0) {
    out.rows = {};
    for (const std::uint32_t row : rows) out.rows.add(packed[row]);
  } else if (num_workers > 1 && rows.size() >= num_workers * kDivideRows) {
    whole.of_groups = passes(0, num_groups);
    build_by_rows(whole);
  } else {
    if (num_workers > 1 && rows.size() * num_groups * kLanes >= kSerialUpdates) {
      build_by_blocks(whole);
    } else {
      whole.of_groups = passes(0, num_groups);
      run(workers_[0], whole);
      out.rows = workers_[0].since_begin;
    }
    out.is_packed = out.rows.fit_words();
  }
  add_wide(rows, packed, out);
}

}  // namespace glassrank
