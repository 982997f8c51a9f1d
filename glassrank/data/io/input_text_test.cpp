#include "glassrank/data/io/input_text.h"

#include <fcntl.h>
#include <filesystem>
#include <string>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include "glassrank/base/atomic_file.h"
#include "glassrank/base/error.h"
#include "glassrank/data/io/unpacked_stream.h"

namespace glassrank {
namespace {

class InputTextTest : public ::testing::Test {
 protected:
  InputTextTest() {
    folder_ =
        std::filesystem::path(::testing::TempDir()) / ("input_text_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  ~InputTextTest() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& bytes) const {
    write_text_file(path(name), bytes);
    return path(name);
  }
  // The text, or "kind: message" of the error.
  static std::string read(const std::string& path) {
    try {
      return std::string(InputText(path, Context{}).text());
    } catch (const Error& error) {
      return (error.kind() == ErrorKind::kIo ? "io: " : "input: ") + error.message();
    }
  }

  std::filesystem::path folder_;
};

std::string gzip(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string zstd(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

// Larger than one step of the decompressor.
std::string long_text() {
  std::string text;
  for (int i = 0; text.size() < (std::size_t{5} << 18); ++i)
    text += std::to_string(i * 7919) + "\n";
  return text;
}

TEST_F(InputTextTest, GivesPlainFilesAsTheyAre) {
  EXPECT_EQ(read(write("a", "1 qid:1 1:2\n")), "1 qid:1 1:2\n");
  EXPECT_EQ(read(write("empty", "")), "");
  EXPECT_EQ(read(write("one", "\x1f")), "\x1f");
}

TEST_F(InputTextTest, UnpacksNoMoreThanIsAllowed) {
  const std::string text(5 << 20, 'x');
  Context context;
  for (const std::string& file : {write("x.gz", gzip(text)), write("x.zst", zstd(text))}) {
    EXPECT_EQ(read(file).size(), text.size());
    context.most_unpacked = text.size();
    EXPECT_EQ(InputText(file, context).text(), text);
    context.most_unpacked = text.size() - 1;
    try {
      const InputText input(file, context);
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInput);
      EXPECT_EQ(error.message(),
                file +
                    ": unpacks to more than 5242879 bytes; if the file is sound, a greater "
                    "--max-unpacked reads it");
    }
    // Readers that unpack on the way keep to it too.
    const InputText later(file, context, Unpack::kLater);
    UnpackedStream packed(later);
    std::string some;
    EXPECT_THROW(packed.read_more(some, text.size() + 1), Error);
  }
}

TEST_F(InputTextTest, ASmallFileUnpacksToAGibibyteUnlessMoreIsAllowed) {
  const std::string frame = zstd(std::string(32 << 20, 'x'));
  std::string frames;
  for (int i = 0; i < 33; ++i) frames += frame;
  std::string piece(1 << 20, '\0');
  const auto unpack = [&](std::uint64_t most) {
    Unpacker unpacker(frames, Packing::kZstd, "bomb.zst", most);
    std::size_t total = 0;
    for (std::size_t count = 1; count > 0; total += count) {
      count = unpacker.read(piece.data(), piece.size());
    }
    return total;
  };
  EXPECT_EQ(unpack(std::uint64_t{2} << 30), std::size_t{33} << 25);
  try {
    unpack(0);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_TRUE(error.message().starts_with("bomb.zst: unpacks to more than 1073741824 bytes"));
  }
}

TEST_F(InputTextTest, DecompressesByContentNotByName) {
  const std::string text = long_text();
  EXPECT_EQ(read(write("a.txt", gzip(text))), text);
  EXPECT_EQ(read(write("b.gz", zstd(text))), text);
  EXPECT_EQ(read(write("c.gz", gzip(""))), "");
  EXPECT_EQ(read(write("d.zst", zstd(""))), "");
}

TEST_F(InputTextTest, JoinsMembersAndFrames) {
  EXPECT_EQ(read(write("a.gz", gzip("one\n") + gzip("") + gzip("two\n"))), "one\ntwo\n");
  EXPECT_EQ(read(write("padded.gz", gzip("one\n") + std::string(512, '\0'))), "one\n");
  const std::string skippable("\x50\x2a\x4d\x18\x03\x00\x00\x00xyz", 11);
  EXPECT_EQ(read(write("b.zst", skippable + zstd("one\n") + zstd("two\n"))), "one\ntwo\n");
}

TEST_F(InputTextTest, TellsTruncatedCompressedData) {
  const std::string gz = gzip(long_text());
  const std::string zst = zstd(long_text());
  for (const std::size_t keep : {std::size_t{2}, std::size_t{12}, gz.size() / 2, gz.size() - 1}) {
    EXPECT_EQ(read(write("t.gz", gz.substr(0, keep))),
              "input: " + path("t.gz") + ": the gzip data ends too early; the file is truncated");
  }
  for (const std::size_t keep : {std::size_t{4}, zst.size() / 2, zst.size() - 1}) {
    EXPECT_EQ(read(write("t.zst", zst.substr(0, keep))),
              "input: " + path("t.zst") + ": the zstd data ends too early; the file is truncated");
  }
}

TEST_F(InputTextTest, TellsCorruptCompressedData) {
  std::string gz = gzip(long_text());
  gz[gz.size() - 6] ^= 1;  // the checksum
  EXPECT_EQ(read(write("c.gz", gz)),
            "input: " + path("c.gz") + ": the gzip data is corrupt (incorrect data check)");
  EXPECT_EQ(read(write("g.gz", gzip("a") + "tail")),
            "input: " + path("g.gz") + ": 4 bytes that are not gzip data follow the gzip data");
  std::string zst = zstd(long_text());
  zst[zst.size() / 2] ^= 0x55;
  zst[4] = '\xff';
  EXPECT_TRUE(read(write("c.zst", zst))
                  .starts_with("input: " + path("c.zst") + ": the zstd data is corrupt ("));
}

TEST_F(InputTextTest, TellsWhatCannotBeOpened) {
  EXPECT_EQ(read(path("none")),
            "io: cannot open '" + path("none") + "': No such file or directory");
  EXPECT_EQ(read(folder_.string()), "io: cannot read '" + folder_.string() +
                                        "': it is a directory; a data file is expected");
}

TEST_F(InputTextTest, ReadsPipesToTheirEnd) {
  const std::string pipe = path("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::string text = long_text();
  std::thread writer([&] {
    const int descriptor = ::open(pipe.c_str(), O_WRONLY);
    const std::string bytes = gzip(text);
    for (std::size_t at = 0; at < bytes.size();) {
      const ssize_t count = ::write(descriptor, bytes.data() + at, bytes.size() - at);
      if (count <= 0) break;
      at += static_cast<std::size_t>(count);
    }
    ::close(descriptor);
  });
  const std::string got = read(pipe);
  writer.join();
  EXPECT_EQ(got, text);
}

TEST_F(InputTextTest, ReadsStandardInput) {
  const std::string file = write("in", "0 qid:1 1:1\n");
  const int saved = ::dup(STDIN_FILENO);
  const int descriptor = ::open(file.c_str(), O_RDONLY);
  ::dup2(descriptor, STDIN_FILENO);
  ::close(descriptor);
  const InputText input("-", Context{});
  ::dup2(saved, STDIN_FILENO);
  ::close(saved);
  EXPECT_EQ(input.text(), "0 qid:1 1:1\n");
  EXPECT_EQ(input.name(), "standard input");
}

TEST_F(InputTextTest, KeepsReleasedBytesReadable) {
  const std::string text = long_text();
  const InputText input(write("r", text), Context{});
  input.release(0, text.size());
  EXPECT_EQ(input.text(), text);
}

}  // namespace
}  // namespace glassrank
