// Memory that the program frees: which synchronisation objects lie in it, and who frees it.
//
// `free` has no point and no step. An object in freed memory is marked inside (runtime/truth/misuse_truth.h) and known
// to the model; whoever uses it then is told by `use_after_free`. Memory that becomes another object loses the mark.
#pragma once

namespace snarl::runtime {

// Once per process. Only where the allocator that frees also says how large a block is.
void look_who_frees();

}  // namespace snarl::runtime
