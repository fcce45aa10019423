/* The interface of NVIDIA's driver over the memory of the host, for a test of what calls it. A launch runs the device's
 * text lane by lane, from the library that FAKE_CUDA_KERNEL names. It compiles no PTX and is no GPU. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long address;
static void (*run_lane)(unsigned, address, address, address, address, address);

int cuInit(unsigned flags) { return flags == 0 ? 0 : 1; }
int cuDeviceGetCount(int* count) { return *count = 1, 0; }
int cuDeviceGet(int* device, int ordinal) { return *device = 7, ordinal; }
int cuDeviceGetName(char* name, int size, int device) { return strncpy(name, "a fake", (size_t)size), device != 7; }
int cuDeviceTotalMem_v2(size_t* bytes, int device) { return *bytes = 64ul << 20, device != 7; }
int cuDeviceGetAttribute(int* value, int attribute, int device) {
  *value = attribute == 75 ? 7 : 5; /* sm_75 */
  return device != 7;
}
int cuCtxCreate_v2(void** context, unsigned flags, int device) { return *context = context, flags != 0 || device != 7; }
int cuCtxDestroy_v2(void* context) { return context == 0; }
int cuModuleLoadData(void** module, const void* image) {
  *module = dlopen(getenv("FAKE_CUDA_KERNEL"), RTLD_NOW);
  return *module == 0 || strstr(image, ".entry lane_kernel") == 0 || strstr(image, ".target sm_75") == 0;
}
int cuModuleGetFunction(void** function, void* module, const char* name) {
  *(void**)&run_lane = *function = dlsym(module, "run_lane");
  return *function == 0 || strcmp(name, "lane_kernel") != 0;
}
int cuMemGetInfo_v2(size_t* left, size_t* all) { return *left = *all = 64ul << 20, 0; }
int cuMemAlloc_v2(address* at, size_t size) {
  *at = size > 64ul << 20 ? 0 : (address)malloc(size);
  return *at == 0 ? 2 : 0;
}
int cuMemFree_v2(address at) { return free((void*)at), 0; }
int cuMemcpyHtoD_v2(address to, const void* from, size_t size) { return memcpy((void*)to, from, size), 0; }
int cuMemcpyDtoH_v2(void* to, address from, size_t size) { return memcpy(to, (void*)from, size), 0; }
int cuLaunchKernel(void* function, unsigned blocks, unsigned y, unsigned z, unsigned threads, unsigned thread_y,
                   unsigned thread_z, unsigned shared, void* stream, void** arguments, void** extra) {
  if (function == 0 || y * z * thread_y * thread_z != 1 || shared != 0 || stream != 0 || extra != 0) return 1;
  const address* const* a = (const address* const*)arguments;
  for (unsigned lane = 0; lane < blocks * threads; ++lane) run_lane(lane, *a[0], *a[1], *a[2], *a[3], *a[4]);
  return 0;
}
int cuCtxSynchronize(void) { return 0; }
