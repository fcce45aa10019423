#include "scan/unwind_table.h"

#include <cstring>
#include <map>
#include <optional>

namespace snarl::scan {
namespace {

// Encodings of pointers, as the Linux Standard Base has them (DW_EH_PE_*).
constexpr uint8_t kOmit = 0xff, kAbsolute = 0, kUleb = 1, kUdata2 = 2, kUdata4 = 3, kUdata8 = 4, kSleb = 9,
                  kSdata2 = 10, kSdata4 = 11, kSdata8 = 12, kRelative = 0x10, kIndirect = 0x80;

// Reads from an address onwards. After the first read that fails, everything is 0 and `good` is false.
class Cursor {
 public:
  Cursor(const CodeImage& image, uint64_t address) : bytes_(image.at(address)), at_(address), good_(!bytes_.empty()) {}
  Cursor(const CodeImage& image, uint64_t address, uint64_t size) : Cursor(image, address) {
    bytes_ = bytes_.substr(0, size);
  }

  bool good() const { return good_; }
  bool empty() const { return bytes_.empty(); }
  uint64_t address() const { return at_; }
  uint64_t left() const { return bytes_.size(); }

  template <typename T>
  T fixed() {
    T value{};
    if (bytes_.size() < sizeof value) return fail(), value;
    std::memcpy(&value, bytes_.data(), sizeof value);
    skip(sizeof value);
    return value;
  }

  uint64_t uleb() {
    uint64_t value = 0;
    for (unsigned shift = 0; good_; shift += 7) {
      const auto byte = fixed<uint8_t>();
      if (shift < 64) value |= uint64_t{byte & 0x7fu} << shift;
      if ((byte & 0x80) == 0) break;
    }
    return value;
  }

  int64_t sleb() {
    uint64_t value = 0;
    for (unsigned shift = 0; good_;) {
      const auto byte = fixed<uint8_t>();
      if (shift < 64) value |= uint64_t{byte & 0x7fu} << shift;
      shift += 7;
      if ((byte & 0x80) != 0) continue;
      if (shift < 64 && (byte & 0x40) != 0) value |= ~uint64_t{0} << shift;
      break;
    }
    return static_cast<int64_t>(value);
  }

  uint64_t pointer(uint8_t encoding) {
    const uint64_t base = (encoding & 0x70) == kRelative ? at_ : 0;
    if ((encoding & 0x70) > kRelative) fail();  // relative to something else: not used on this machine
    return base + number(encoding & 0x0f);
  }

  void skip(uint64_t size) {
    if (size > bytes_.size()) return fail();
    bytes_.remove_prefix(size);
    at_ += size;
  }

  std::string_view text() {
    const std::string_view rest = bytes_.substr(0, bytes_.find('\0'));
    skip(rest.size() + 1);
    return rest;
  }

 private:
  uint64_t number(uint8_t format) {
    switch (format) {
      case kAbsolute:
      case kUdata8:
      case kSdata8: return fixed<uint64_t>();
      case kUleb: return uleb();
      case kSleb: return static_cast<uint64_t>(sleb());
      case kUdata2: return fixed<uint16_t>();
      case kSdata2: return static_cast<uint64_t>(int64_t{fixed<int16_t>()});
      case kUdata4: return fixed<uint32_t>();
      case kSdata4: return static_cast<uint64_t>(int64_t{fixed<int32_t>()});
      default: fail(); return 0;
    }
  }

  void fail() { good_ = false, bytes_ = {}; }

  std::string_view bytes_;
  uint64_t at_;
  bool good_;
};

// What functions of one kind have in common.
struct Common {
  uint8_t pointers = kAbsolute;
  uint8_t lsda = kOmit;
  bool augmented = false;
  bool good = false;
};

class Table {
 public:
  explicit Table(CodeImage& image) : image_(image) {}

  void read(uint64_t header) {
    Cursor cursor(image_, header);
    const auto version = cursor.fixed<uint8_t>();
    const auto frame_encoding = cursor.fixed<uint8_t>();
    cursor.fixed<uint16_t>();  // how the search table is encoded, which we don't need
    const uint64_t frames = cursor.pointer(frame_encoding);
    if (cursor.good() && version == 1) read_frames(frames);
  }

 private:
  void read_frames(uint64_t from) {
    Cursor cursor(image_, from);
    while (cursor.good() && !cursor.empty()) {
      const uint64_t start = cursor.address();
      const auto size = cursor.fixed<uint32_t>();
      if (size == 0 || size == 0xffffffff || size > cursor.left()) return;
      Cursor record(image_, cursor.address(), size);
      const uint64_t at = record.address();
      const auto id = record.fixed<uint32_t>();
      if (id == 0)
        commons_[start] = read_common(record);
      else
        read_function(record, commons_[at - id]);
      cursor.skip(size);
    }
  }

  static Common read_common(Cursor& record) {
    Common common;
    const auto version = record.fixed<uint8_t>();
    const std::string_view augmentation = record.text();
    record.uleb();                                           // code alignment
    record.sleb();                                           // data alignment
    version == 1 ? record.fixed<uint8_t>() : record.uleb();  // the return address's register
    common.augmented = augmentation.starts_with('z');
    if (common.augmented) record.uleb();
    for (char letter : augmentation) {
      if (letter == 'R') common.pointers = record.fixed<uint8_t>();
      if (letter == 'L') common.lsda = record.fixed<uint8_t>();
      if (letter == 'P') record.pointer(record.fixed<uint8_t>() & 0x7f);
    }
    common.good = record.good() && (augmentation.empty() || common.augmented);
    return common;
  }

  void read_function(Cursor& record, const Common& common) {
    if (!common.good) return;
    Function function;
    function.begin = record.pointer(common.pointers);
    function.end = function.begin + record.pointer(common.pointers & 0x0f);
    if (!record.good() || function.end <= function.begin || !image_.is_code(function.begin)) return;
    if (common.augmented) record.uleb();
    if (common.lsda != kOmit) {
      const uint64_t before = record.address();
      const uint64_t lsda = record.pointer(common.lsda & 0x7f);
      const bool none = !record.good() || lsda == 0 || lsda == before;  // 0, made relative
      function.sure = record.good() && (common.lsda & kIndirect) == 0 && (none || read_landings(function, lsda));
    }
    image_.functions.push_back(function);
  }

  // False if something in it was not understood.
  bool read_landings(const Function& function, uint64_t lsda) {
    Cursor cursor(image_, lsda);
    const auto start_encoding = cursor.fixed<uint8_t>();
    const uint64_t start = start_encoding == kOmit ? function.begin : cursor.pointer(start_encoding);
    const auto type_encoding = cursor.fixed<uint8_t>();
    if (type_encoding != kOmit) cursor.uleb();
    const auto site_encoding = cursor.fixed<uint8_t>();
    const uint64_t size = cursor.uleb();
    if (!cursor.good() || size > cursor.left()) return false;
    Cursor sites(image_, cursor.address(), size);
    while (sites.good() && !sites.empty()) {
      sites.pointer(site_encoding);
      sites.pointer(site_encoding);
      const uint64_t landing = sites.pointer(site_encoding);
      sites.uleb();
      if (sites.good() && landing != 0) image_.landings.push_back(start + landing);
    }
    return sites.good();
  }

  CodeImage& image_;
  std::map<uint64_t, Common> commons_;
};

}  // namespace

void read_unwind_table(uint64_t header, CodeImage& image) { Table(image).read(header); }

}  // namespace snarl::scan
