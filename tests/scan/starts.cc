// For the tests of the scanner: where its two ways have instructions.
// usage: scan_starts FILE < addresses in hexadecimal
// Prints for each address: `both`, `linear`, `walked` or `none`, and ` body` if one of them has the middle of an
// instruction there.
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "scan/code_flow.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::ifstream file(argv[1], std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const snarl::scan::CodeImage image = snarl::scan::read_code(bytes);
  const snarl::scan::CodeFlow flow(image);
  for (uint64_t address; std::cin >> std::hex >> address;) {
    const bool linear = flow.is_linear(address), walked = flow.is_walked(address);
    std::cout << (linear && walked ? "both"
                  : linear         ? "linear"
                  : walked         ? "walked"
                                   : "none")
              << (flow.is_body(address) ? " body\n" : "\n");
  }
}
