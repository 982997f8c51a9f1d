#include "glassrank/data/io/input_text.h"

#include <cerrno>
#include <fcntl.h>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int number, bool owned) : number_(number), owned_(owned) {}
  ~Descriptor() {
    if (owned_) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
  bool owned_;
};

GrowingText read_to_end(int descriptor, const std::string& name, const Context& context) {
  constexpr std::size_t kBlock = std::size_t{1} << 20;
  GrowingText text;
  while (true) {
    context.check_stop();
    char* place = text.reserve(kBlock);
    const ssize_t count = ::read(descriptor, place, text.room());
    if (count == 0) return text;
    if (count > 0) {
      text.advance(static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      fail_errno("read", name);
    }
  }
}

bool is_plain_file(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) fail_errno("open", path);
  if (S_ISDIR(status.st_mode)) {
    fail(ErrorKind::kIo, "cannot read '{}': it is a directory; a data file is expected", path);
  }
  return S_ISREG(status.st_mode);
}

GrowingText read_stream(const std::string& path, const std::string& name, const Context& context) {
  const bool standard_input = path == "-";
  const int number = standard_input ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (number < 0) fail_errno("open", path);
  const Descriptor descriptor(number, !standard_input);
  return read_to_end(descriptor.number(), name, context);
}

}  // namespace

InputText::InputText(const std::string& path, const Context& context, Unpack unpack)
    : name_(path == "-" ? "standard input" : path), most_unpacked_(context.most_unpacked) {
  std::shared_ptr<const MappedFile> mapped;
  std::shared_ptr<const GrowingText> stream;
  if (path != "-" && is_plain_file(path)) {
    mapped = std::make_shared<const MappedFile>(path);
    text_ = {mapped->bytes().data(), mapped->bytes().size()};
  } else {
    stream = std::make_shared<const GrowingText>(read_stream(path, name_, context));
    text_ = stream->view();
  }
  const Packing packing = packing_of(text_);
  if (unpack == Unpack::kLater) packing_ = packing;
  if (packing != packing_) {
    auto text = std::make_shared<const GrowingText>(decompress(text_, packing, name_, context));
    text_ = text->view();
    owner_ = std::move(text);
  } else if (mapped) {
    mapped_ = mapped.get();
    owner_ = std::move(mapped);
  } else {
    owner_ = std::move(stream);
  }
}

}  // namespace glassrank
