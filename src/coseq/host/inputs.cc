#include "coseq/host/inputs.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cstring>

#include "coseq/models/lane.h"
#include "os/read_file.h"

namespace snarl::coseq {
namespace {

constexpr uint64_t kPage = 4096;

class Segment {
 public:
  explicit Segment(uint8_t* memory) : memory_(memory) {}

  LaneInputs& directory() { return *reinterpret_cast<LaneInputs*>(memory_ + kLaneInputs); }
  // False: there is no room for it.
  bool add_file(const std::string& name, const std::string& bytes) {
    LaneInputs& d = directory();
    if (d.files == kLaneMostFiles) return false;
    LaneInputFile& file = d.file[d.files++];
    return put(name.c_str(), name.size() + 1, 1, file.name) &&
           put(bytes.data(), file.size = bytes.size(), kPage, file.at);
  }
  bool add_variable(const std::string& text) {
    LaneInputs& d = directory();
    return d.variables < kLaneMostVariables && put(text.c_str(), text.size() + 1, 1, d.variable[d.variables++]);
  }
  uint64_t size() const { return (end_ + kPage) / kPage * kPage - kLaneInputs; }  // a zero byte behind the last file

 private:
  bool put(const char* bytes, size_t size, uint64_t align, uint32_t& at) {
    end_ = (end_ + align - 1) / align * align;
    if (end_ + size + kPage > kLaneInputsEnd) return false;
    std::memcpy(memory_ + end_, bytes, size);
    at = static_cast<uint32_t>(end_);
    end_ += size + (align == kPage ? 1 : 0);
    return true;
  }

  uint8_t* memory_;
  uint64_t end_ = kLaneInputs + sizeof(LaneInputs);
};

}  // namespace

Status place_inputs(const Inputs& inputs, uint8_t* memory) {
  mprotect(memory + kLaneInputs, kLaneInputsEnd - kLaneInputs, PROT_READ | PROT_WRITE);
  Segment segment(memory);
  const Error full{fmt::format("lanes have room for {} files of {} MB together", kLaneMostFiles - 1,
                               (kLaneInputsEnd - kLaneInputs) >> 20),
                   "give the program less to read", 4};
  if (!segment.add_file("/dev/stdin", inputs.standard)) return full;
  for (const std::string& name : inputs.files) {
    Expected<std::string> bytes = os::read_file(name, 2);
    if (!bytes) return bytes.error();
    if (!segment.add_file(name, *bytes)) return full;
  }
  for (const std::string& variable : inputs.environment)
    if (!segment.add_variable(variable)) return full;
  mprotect(memory + kLaneInputs, kLaneInputsEnd - kLaneInputs, PROT_NONE);
  mprotect(memory + kLaneInputs, segment.size(), PROT_READ);
  return Done{};
}

}  // namespace snarl::coseq
