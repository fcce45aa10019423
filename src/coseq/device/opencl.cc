// OpenCL through the loader of the system, which is looked for when it is needed: snarl is built without it.
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "coseq/device/back_end.h"

namespace snarl::coseq {
namespace {

// What is used of the interface of OpenCL 1.2, whose numbers never change.
using Handle = void*;
constexpr uint64_t kAllDevices = 0xffffffff;
enum : uint32_t {
  kPlatformName = 0x0902,
  kDeviceMaxAllocation = 0x1010,
  kDeviceMemory = 0x101f,
  kDeviceName = 0x102b,
  kDeviceDouble = 0x1032,
  kBuildLog = 0x1183,
};
enum : uint64_t { kReadWrite = 1, kReadOnly = 4 };
enum : int32_t { kOutOfResources = -5, kOutOfHostMemory = -6, kAllocationFailure = -4, kInvalidBufferSize = -61 };

struct Api {
  void* library = nullptr;
  int32_t (*get_platforms)(uint32_t, Handle*, uint32_t*);
  int32_t (*get_platform)(Handle, uint32_t, size_t, void*, size_t*);
  int32_t (*get_devices)(Handle, uint64_t, uint32_t, Handle*, uint32_t*);
  int32_t (*get_device)(Handle, uint32_t, size_t, void*, size_t*);
  Handle (*create_context)(const intptr_t*, uint32_t, const Handle*, void*, void*, int32_t*);
  Handle (*create_queue)(Handle, Handle, uint64_t, int32_t*);
  Handle (*create_program)(Handle, uint32_t, const char**, const size_t*, int32_t*);
  int32_t (*build)(Handle, uint32_t, const Handle*, const char*, void*, void*);
  int32_t (*get_build)(Handle, Handle, uint32_t, size_t, void*, size_t*);
  Handle (*create_kernel)(Handle, const char*, int32_t*);
  Handle (*create_buffer)(Handle, uint64_t, size_t, void*, int32_t*);
  int32_t (*set_argument)(Handle, uint32_t, size_t, const void*);
  int32_t (*launch)(Handle, Handle, uint32_t, const size_t*, const size_t*, const size_t*, uint32_t, const Handle*,
                    Handle*);
  int32_t (*write)(Handle, Handle, uint32_t, size_t, size_t, const void*, uint32_t, const Handle*, Handle*);
  int32_t (*read)(Handle, Handle, uint32_t, size_t, size_t, void*, uint32_t, const Handle*, Handle*);
  int32_t (*finish)(Handle);
  int32_t (*release_buffer)(Handle);
  int32_t (*release_kernel)(Handle);
  int32_t (*release_program)(Handle);
  int32_t (*release_queue)(Handle);
  int32_t (*release_context)(Handle);
};

template <typename Function>
bool find(const Api& api, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(api.library, name));
  return function != nullptr;
}

Error none(const std::string& why) {
  return Error{"no OpenCL: " + why,
               "install a driver, such as the package pocl-opencl-icd, which runs on the processor"};
}

Expected<Api> load() {
  Api api = {};
  api.library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  if (api.library == nullptr) return none("libOpenCL.so.1 is not installed");
  const bool all =
      find(api, "clGetPlatformIDs", api.get_platforms) && find(api, "clGetPlatformInfo", api.get_platform) &&
      find(api, "clGetDeviceIDs", api.get_devices) && find(api, "clGetDeviceInfo", api.get_device) &&
      find(api, "clCreateContext", api.create_context) && find(api, "clCreateCommandQueue", api.create_queue) &&
      find(api, "clCreateProgramWithSource", api.create_program) && find(api, "clBuildProgram", api.build) &&
      find(api, "clGetProgramBuildInfo", api.get_build) && find(api, "clCreateKernel", api.create_kernel) &&
      find(api, "clCreateBuffer", api.create_buffer) && find(api, "clSetKernelArg", api.set_argument) &&
      find(api, "clEnqueueNDRangeKernel", api.launch) && find(api, "clEnqueueWriteBuffer", api.write) &&
      find(api, "clEnqueueReadBuffer", api.read) && find(api, "clFinish", api.finish) &&
      find(api, "clReleaseMemObject", api.release_buffer) && find(api, "clReleaseKernel", api.release_kernel) &&
      find(api, "clReleaseProgram", api.release_program) && find(api, "clReleaseCommandQueue", api.release_queue) &&
      find(api, "clReleaseContext", api.release_context);
  if (!all) return none("libOpenCL.so.1 is older than OpenCL 1.2");
  return api;
}

std::string text_of(const std::function<int32_t(size_t, void*, size_t*)>& get) {
  size_t size = 0;
  if (get(0, nullptr, &size) != 0 || size == 0) return {};
  std::string text(size, 0);
  if (get(size, text.data(), nullptr) != 0) return {};
  text.resize(text.find('\0') == text.npos ? size : text.find('\0'));
  return text;
}

struct Device {
  Handle id;
  std::string name;
  uint64_t memory = 0, largest = 0;
  bool has_double = false;
};

uint64_t number_of(const Api& api, Handle device, uint32_t what) {
  uint64_t value = 0;
  api.get_device(device, what, sizeof value, &value, nullptr);
  return value;
}

std::vector<Device> devices_of(const Api& api) {
  std::vector<Device> found;
  Handle platforms[16];
  uint32_t platform_count = 0;
  if (api.get_platforms(16, platforms, &platform_count) != 0) return found;
  for (uint32_t i = 0; i < std::min(platform_count, 16u); ++i) {
    Handle devices[16];
    uint32_t count = 0;
    if (api.get_devices(platforms[i], kAllDevices, 16, devices, &count) != 0) continue;
    const std::string platform = text_of([&](size_t size, void* to, size_t* needed) {
      return api.get_platform(platforms[i], kPlatformName, size, to, needed);
    });
    for (uint32_t j = 0; j < std::min(count, 16u); ++j) {
      const std::string name = text_of([&](size_t size, void* to, size_t* needed) {
        return api.get_device(devices[j], kDeviceName, size, to, needed);
      });
      found.push_back({devices[j], fmt::format("{} ({})", name, platform), number_of(api, devices[j], kDeviceMemory),
                       number_of(api, devices[j], kDeviceMaxAllocation),
                       number_of(api, devices[j], kDeviceDouble) != 0});
    }
  }
  return found;
}

class OpenCl final : public BackEnd {
 public:
  explicit OpenCl(const Api& api) : api_(api) {}
  ~OpenCl() override {
    for (Handle buffer : {memory_, plans_, batch_, totals_, outcomes_})
      if (buffer != nullptr) api_.release_buffer(buffer);
    if (kernel_ != nullptr) api_.release_kernel(kernel_);
    if (program_ != nullptr) api_.release_program(program_);
    if (queue_ != nullptr) api_.release_queue(queue_);
    if (context_ != nullptr) api_.release_context(context_);
  }
  OpenCl(const OpenCl&) = delete;
  OpenCl& operator=(const OpenCl&) = delete;

  Status open(const Device& device, const DeviceText& text, const DevicePlace& place);
  uint32_t lanes() const override { return lanes_; }
  Expected<BatchResult> run(std::span<const LanePlan> plans, LaneBatch batch) override;

 private:
  Status build(const Device& device, const std::string& code);
  Status allocate(uint64_t arena);
  Handle buffer(uint64_t flags, uint64_t size);

  Api api_;
  Handle context_ = nullptr, queue_ = nullptr, program_ = nullptr, kernel_ = nullptr;
  Handle memory_ = nullptr, plans_ = nullptr, batch_ = nullptr, totals_ = nullptr, outcomes_ = nullptr;
  std::string name_;
  uint32_t lanes_ = 0;
  int32_t error_ = 0;
};

Error failed(const std::string& what, const std::string& device, int32_t error) {
  const bool memory = error == kAllocationFailure || error == kOutOfResources || error == kOutOfHostMemory ||
                      error == kInvalidBufferSize;
  return Error{fmt::format("OpenCL on {}: {} (error {})", device, what, error),
               memory ? "give it less memory: --device-memory" : "does the driver work with other programs (clinfo)?"};
}

Status OpenCl::build(const Device& device, const std::string& code) {
  const char* text = code.c_str();
  program_ = api_.create_program(context_, 1, &text, nullptr, &error_);
  if (program_ == nullptr) return failed("the program can't be given to it", name_, error_);
  error_ =
      api_.build(program_, 1, &device.id, "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt -w", nullptr, nullptr);
  if (error_ != 0) error_ = api_.build(program_, 1, &device.id, "-cl-std=CL1.2 -w", nullptr, nullptr);
  if (error_ == 0) kernel_ = api_.create_kernel(program_, "lane_kernel", &error_);
  if (kernel_ != nullptr) return Done{};
  const std::string log = text_of([&](size_t size, void* to, size_t* needed) {
    return api_.get_build(program_, device.id, kBuildLog, size, to, needed);
  });
  return Error{
      fmt::format("OpenCL on {}: the program does not compile (error {}):\n{}", name_, error_, log.substr(0, 2000)),
      "this is a bug of snarl or of the driver: --emit FOLDER keeps the code"};
}

Handle OpenCl::buffer(uint64_t flags, uint64_t size) {
  return error_ != 0 ? nullptr : api_.create_buffer(context_, flags, size, nullptr, &error_);
}

Status OpenCl::allocate(uint64_t arena) {
  error_ = 0;
  memory_ = buffer(kReadWrite, lanes_ * arena);
  plans_ = buffer(kReadOnly, lanes_ * sizeof(LanePlan));
  batch_ = buffer(kReadOnly, sizeof(LaneBatch));
  totals_ = buffer(kReadWrite, sizeof(LaneTotals));
  outcomes_ = buffer(kReadWrite, lanes_ * sizeof(LaneOutcome));
  uint32_t at = 0;
  for (Handle* one : {&memory_, &plans_, &batch_, &totals_, &outcomes_})
    if (error_ == 0) error_ = api_.set_argument(kernel_, at++, sizeof(Handle), one);
  if (error_ != 0) return failed(fmt::format("no room for {} lanes of {} KB", lanes_, arena >> 10), name_, error_);
  return Done{};
}

Status OpenCl::open(const Device& device, const DeviceText& text, const DevicePlace& place) {
  name_ = device.name;
  context_ = api_.create_context(nullptr, 1, &device.id, nullptr, nullptr, &error_);
  if (context_ == nullptr) return failed("it can't be opened", name_, error_);
  queue_ = api_.create_queue(context_, device.id, 0, &error_);
  if (queue_ == nullptr) return failed("it can't be opened", name_, error_);
  if (Status built = build(device, text.code); !built) return built;
  const uint64_t most = std::min(device.largest, device.memory / 2);
  lanes_ = lanes_for(place.memory != 0 ? std::min(place.memory, device.memory) : most, text.arena, place.most_lanes);
  if (lanes_ == 0)
    return Error{fmt::format("OpenCL on {}: no room for 32 lanes of {} KB each", name_, text.arena >> 10),
                 "run it on the host, or raise --device-memory"};
  return allocate(text.arena);
}

Expected<BatchResult> OpenCl::run(std::span<const LanePlan> plans, LaneBatch batch) {
  BatchResult result;
  batch.lanes = static_cast<uint32_t>(plans.size());
  const size_t all = (plans.size() + 31) / 32 * 32, group = 32;
  error_ = api_.write(queue_, plans_, 1, 0, plans.size_bytes(), plans.data(), 0, nullptr, nullptr);
  if (error_ == 0) error_ = api_.write(queue_, batch_, 1, 0, sizeof batch, &batch, 0, nullptr, nullptr);
  if (error_ == 0)
    error_ = api_.write(queue_, totals_, 1, 0, sizeof result.totals, &result.totals, 0, nullptr, nullptr);
  if (error_ == 0) error_ = api_.launch(queue_, kernel_, 1, nullptr, &all, &group, 0, nullptr, nullptr);
  if (error_ == 0) error_ = api_.finish(queue_);
  if (error_ == 0) error_ = api_.read(queue_, totals_, 1, 0, sizeof result.totals, &result.totals, 0, nullptr, nullptr);
  if (error_ != 0) return failed("the lanes did not run", name_, error_);
  result.outcomes.resize(batch.keeps_all ? batch.lanes : std::min(result.totals.failures, batch.lanes));
  if (result.outcomes.empty()) return result;
  error_ = api_.read(queue_, outcomes_, 1, 0, result.outcomes.size() * sizeof(LaneOutcome), result.outcomes.data(), 0,
                     nullptr, nullptr);
  if (error_ != 0) return failed("its results can't be read", name_, error_);
  return result;
}

}  // namespace

Expected<std::unique_ptr<BackEnd>> open_opencl(const DeviceText& text, const DevicePlace& place) {
  Expected<Api> api = load();
  if (!api) return api.error();
  const std::vector<Device> devices = devices_of(*api);
  const auto device = std::find_if(devices.begin(), devices.end(), [](const Device& one) { return one.has_double; });
  if (devices.empty()) return none("there is no driver, or it has no device");
  if (device == devices.end()) return none("no device has floating-point numbers of 64 bits");
  auto opened = std::make_unique<OpenCl>(*api);
  if (Status done = opened->open(*device, text, place); !done) return done.error();
  return std::unique_ptr<BackEnd>(std::move(opened));
}

std::vector<std::string> opencl_devices() {
  Expected<Api> api = load();
  if (!api) return {"opencl   none: " + api.error().message};
  std::vector<std::string> lines;
  for (const Device& device : devices_of(*api))
    lines.push_back(fmt::format("opencl   {}, {} MB{}", device.name, device.memory >> 20,
                                device.has_double ? "" : ": no floating-point numbers of 64 bits, can't be used"));
  if (lines.empty()) lines.push_back("opencl   none: there is no driver, or it has no device");
  return lines;
}

}  // namespace snarl::coseq
