// CUDA through the driver's own library, which is looked for when it is needed: snarl is built without it.
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "coseq/device/back_end.h"
#include "coseq/device/cuda_text.h"

namespace snarl::coseq {
namespace {

// What is used of the driver's interface. Names with _v2 have 64-bit sizes.
using Handle = void*;
using Address = uint64_t;
enum { kMajor = 75, kMinor = 76, kOutOfMemory = 2 };

struct Api {
  void* library = nullptr;
  int (*init)(unsigned);
  int (*count)(int*);
  int (*device)(int*, int);
  int (*name)(char*, int, int);
  int (*memory)(size_t*, int);
  int (*attribute)(int*, int, int);
  int (*create_context)(Handle*, unsigned, int);
  int (*destroy_context)(Handle);
  int (*load)(Handle*, const void*);
  int (*function)(Handle*, Handle, const char*);
  int (*free_memory)(size_t*, size_t*);
  int (*allocate)(Address*, size_t);
  int (*release)(Address);
  int (*write)(Address, const void*, size_t);
  int (*read)(void*, Address, size_t);
  int (*launch)(Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Handle, void**, void**);
  int (*synchronize)();
};

template <typename Function>
bool find(const Api& api, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(api.library, name));
  return function != nullptr;
}

Error none(const std::string& why) {
  return Error{"no CUDA: " + why, "lanes run on the host without --device, and on any driver of OpenCL"};
}

Expected<Api> load() {
  Api api = {};
  api.library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (api.library == nullptr) return none("there is no driver of NVIDIA (libcuda.so.1)");
  const bool all = find(api, "cuInit", api.init) && find(api, "cuDeviceGetCount", api.count) &&
                   find(api, "cuDeviceGet", api.device) && find(api, "cuDeviceGetName", api.name) &&
                   find(api, "cuDeviceTotalMem_v2", api.memory) && find(api, "cuDeviceGetAttribute", api.attribute) &&
                   find(api, "cuCtxCreate_v2", api.create_context) &&
                   find(api, "cuCtxDestroy_v2", api.destroy_context) && find(api, "cuModuleLoadData", api.load) &&
                   find(api, "cuModuleGetFunction", api.function) && find(api, "cuMemGetInfo_v2", api.free_memory) &&
                   find(api, "cuMemAlloc_v2", api.allocate) && find(api, "cuMemFree_v2", api.release) &&
                   find(api, "cuMemcpyHtoD_v2", api.write) && find(api, "cuMemcpyDtoH_v2", api.read) &&
                   find(api, "cuLaunchKernel", api.launch) && find(api, "cuCtxSynchronize", api.synchronize);
  if (!all) return none("the driver is too old");
  int devices = 0;
  if (const int error = api.init(0); error != 0) return none(fmt::format("the driver can't begin (error {})", error));
  if (api.count(&devices) != 0 || devices == 0) return none("there is no device");
  return api;
}

class Cuda final : public BackEnd {
 public:
  explicit Cuda(const Api& api) : api_(api) {}
  ~Cuda() override {
    for (const Address one : {memory_, plans_, batch_, totals_, outcomes_})
      if (one != 0) api_.release(one);
    if (context_ != nullptr) api_.destroy_context(context_);
  }
  Cuda(const Cuda&) = delete;
  Cuda& operator=(const Cuda&) = delete;

  Status open(const DeviceText& text, const DevicePlace& place);
  uint32_t lanes() const override { return lanes_; }
  Expected<BatchResult> run(std::span<const LanePlan> plans, LaneBatch batch) override;

 private:
  Status allocate(const DeviceText& text, const DevicePlace& place);

  Api api_;
  Handle context_ = nullptr, module_ = nullptr, kernel_ = nullptr;
  Address memory_ = 0, plans_ = 0, batch_ = 0, totals_ = 0, outcomes_ = 0;
  uint32_t lanes_ = 0;
  int error_ = 0;
};

Error failed(const std::string& what, int error) {
  return Error{fmt::format("CUDA: {} (error {})", what, error),
               error == kOutOfMemory ? "give it less memory: --device-memory" : "does nvidia-smi see the device?"};
}

Status Cuda::allocate(const DeviceText& text, const DevicePlace& place) {
  size_t left = 0, all = 0;
  error_ = api_.free_memory(&left, &all);
  lanes_ = lanes_for(place.memory != 0 ? std::min<uint64_t>(place.memory, left) : left / 8 * 7, text.arena,
                     place.most_lanes);
  if (lanes_ == 0)
    return Error{fmt::format("CUDA: no room for 32 lanes of {} KB each", text.arena >> 10),
                 "run it on the host, or raise --device-memory"};
  const std::pair<Address*, uint64_t> buffers[] = {{&memory_, lanes_ * text.arena},
                                                   {&plans_, lanes_ * sizeof(LanePlan)},
                                                   {&batch_, sizeof(LaneBatch)},
                                                   {&totals_, sizeof(LaneTotals)},
                                                   {&outcomes_, lanes_ * sizeof(LaneOutcome)}};
  for (const auto& [address, size] : buffers)
    if (error_ == 0) error_ = api_.allocate(address, size);
  if (error_ != 0) return failed(fmt::format("no room for {} lanes of {} KB", lanes_, text.arena >> 10), error_);
  return Done{};
}

Status Cuda::open(const DeviceText& text, const DevicePlace& place) {
  int device = 0, major = 0, minor = 0;
  if (api_.device(&device, 0) != 0 || api_.attribute(&major, kMajor, device) != 0 ||
      api_.attribute(&minor, kMinor, device) != 0)
    return failed("the device says nothing of itself", 0);
  Expected<std::string> ptx = make_ptx(text, std::max(75, major * 10 + minor), place.scratch);
  if (!ptx) return ptx.error();
  std::ifstream file(*ptx);
  std::stringstream code;
  code << file.rdbuf();
  if ((error_ = api_.create_context(&context_, 0, device)) != 0) return failed("it can't be opened", error_);
  if ((error_ = api_.load(&module_, code.str().c_str())) != 0)
    return failed("the driver does not take the program", error_);
  if ((error_ = api_.function(&kernel_, module_, "lane_kernel")) != 0) return failed("there is no kernel", error_);
  return allocate(text, place);
}

Expected<BatchResult> Cuda::run(std::span<const LanePlan> plans, LaneBatch batch) {
  constexpr unsigned kBlock = 32;  // blocks of one warp: none waits for a slower one
  BatchResult result;
  batch.lanes = static_cast<uint32_t>(plans.size());
  error_ = api_.write(plans_, plans.data(), plans.size_bytes());
  if (error_ == 0) error_ = api_.write(batch_, &batch, sizeof batch);
  if (error_ == 0) error_ = api_.write(totals_, &result.totals, sizeof result.totals);
  void* arguments[] = {&memory_, &plans_, &batch_, &totals_, &outcomes_};
  const unsigned blocks = (batch.lanes + kBlock - 1) / kBlock;
  if (error_ == 0) error_ = api_.launch(kernel_, blocks, 1, 1, kBlock, 1, 1, 0, nullptr, arguments, nullptr);
  if (error_ == 0) error_ = api_.synchronize();
  if (error_ == 0) error_ = api_.read(&result.totals, totals_, sizeof result.totals);
  if (error_ != 0) return failed("the lanes did not run", error_);
  result.outcomes.resize(batch.keeps_all ? batch.lanes : std::min(result.totals.failures, batch.lanes));
  if (!result.outcomes.empty())
    error_ = api_.read(result.outcomes.data(), outcomes_, result.outcomes.size() * sizeof(LaneOutcome));
  if (error_ != 0) return failed("its results can't be read", error_);
  return result;
}

}  // namespace

Expected<std::unique_ptr<BackEnd>> open_cuda(const DeviceText& text, const DevicePlace& place) {
  Expected<Api> api = load();
  if (!api) return api.error();
  auto opened = std::make_unique<Cuda>(*api);
  if (Status done = opened->open(text, place); !done) return done.error();
  return std::unique_ptr<BackEnd>(std::move(opened));
}

std::vector<std::string> cuda_devices() {
  Expected<Api> api = load();
  if (!api) return {"cuda     none: " + api.error().message};
  std::vector<std::string> lines;
  int count = 0;
  api->count(&count);
  for (int i = 0; i < count; ++i) {
    int device = 0;
    size_t memory = 0;
    char name[256] = "";
    if (api->device(&device, i) != 0) continue;
    api->name(name, sizeof name - 1, device);
    api->memory(&memory, device);
    lines.push_back(fmt::format("cuda     {}, {} MB", name, memory >> 20));
  }
  return lines;
}

}  // namespace snarl::coseq
