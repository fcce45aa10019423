// What a rewound run writes to its standard output and error: nobody reads it, as a run that is of interest is made
// again by a copy. So it is not written at all, and only its hash is kept. Part of reset rewind (rewind.h).
#pragma once

#include <sys/uio.h>

#include "base/output_hash.h"

namespace snarl::runtime {

class RewoundOutput {
 public:
  void begin() { out_ = err_ = OutputHash(); }
  uint64_t hash() const { return hash_of_outputs(out_, err_); }

  // As write(2) and writev(2), to 1 or 2. Where the kernel would find that nobody can read there, the process faults:
  // a copy makes that run.
  long write(int to, const char* data, uint64_t size) {
    (to == 1 ? out_ : err_).add({data, size});
    return static_cast<long>(size);
  }
  long write(int to, const iovec* parts, uint64_t count) {
    long written = 0;
    for (uint64_t i = 0; i < count; ++i)
      written += write(to, static_cast<const char*>(parts[i].iov_base), parts[i].iov_len);
    return written;
  }

 private:
  OutputHash out_, err_;
};

}  // namespace snarl::runtime
