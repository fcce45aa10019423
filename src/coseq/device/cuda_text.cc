#include "coseq/device/cuda_text.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "coseq/front/command.h"

namespace snarl::coseq {

std::string nvcc() {
  std::istringstream folders(std::string(std::getenv("PATH") == nullptr ? "" : std::getenv("PATH")) +
                             ":/usr/local/cuda/bin");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const std::string path = folder + "/nvcc"; access(path.c_str(), X_OK) == 0) return path;
  return {};
}

Expected<std::string> make_ptx(const DeviceText& text, int architecture, const std::string& scratch) {
  constexpr int kMostOfClang = 86;
  const std::string source = scratch + "/lane.cu", ptx = scratch + "/lane.ptx", compiler = nvcc();
  std::ofstream file(source);
  file << text.code;
  file.close();
  if (!file) return Error{"can't write " + source, "is the disk full?"};
  if (!compiler.empty()) {
    if (run_command({compiler, "-ptx", fmt::format("-arch=compute_{}", architecture), "-O3", "--fmad=false", "-w", "-o",
                     ptx, source}) == 0)
      return ptx;
    return Error{"the device's code does not compile for CUDA", "this is a bug of snarl: --emit FOLDER keeps the code"};
  }
  const int failed =
      run_command({"clang-14", "-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib",
                   fmt::format("--cuda-gpu-arch=sm_{}", std::min(architecture, kMostOfClang)), "-O3",
                   "-ffp-contract=off", "-fno-strict-aliasing", "-fwrapv", "-w", "-S", "-o", ptx, source});
  if (failed == 127) return Error{"neither nvcc nor clang-14 can be started", "install the package clang-14"};
  if (failed == 0) return ptx;
  return Error{"the device's code does not compile for CUDA by clang-14",
               "a program that calls sin, exp or other functions of libm needs nvcc"};
}

}  // namespace snarl::coseq
