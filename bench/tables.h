// The tables of ./run bench.
#pragma once

#include <span>
#include <string_view>

namespace snarl::bench {

void measure_gates();
void measure_fibers();
void measure_primitives();
void measure_resets();  // exec, fork, rewind: sizes of heaps, threads, workers
void measure_sizes();   // many threads, many points
void measure_virtual();
void measure_accesses();  // hooks at memory accesses, and points there
void measure_patched();   // atomic instructions of unmodified programs
void measure_decisions();
void measure_names();
void measure_reports();
void measure_causes();  // what follows a finding: the shortest schedule, the cause
void measure_library();
void measure_orders();  // what hashing partial orders costs
void measure_conductor();
void measure_trace();
void measure_pace();        // what speed control costs real work
void measure_prediction();  // races of other schedules, from a long trace
void measure_races();       // what looking for races costs, beside ThreadSanitizer
// What control costs real work; with a name, only that of this program.
void measure_parallel(std::string_view only = {});
// Schedules of compiled programs; with a word, a part of it. Takes minutes, and is no part of the tables.
void measure_lanes(std::string_view what);
// The figures of the paper on noise makers; takes minutes, and is no part of the tables.
void measure_noise(std::string_view make, int runs);
// Speed control against pct, as in its paper; FOLDER gets the page of results, if it is not empty. Takes minutes, and
// is no part of the tables.
void measure_speed(std::string_view folder, std::string_view only);
// Policies by how many schedules they need to find known bugs; takes half an hour, and is no part of the tables.
void measure_hunt(std::span<char* const> words);

}  // namespace snarl::bench
