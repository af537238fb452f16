// Read by jemalloc at its start. Reports of long runs have to stay small: what is free goes back to
// the system within a tenth of a second instead of ten, also where other work delays the threads
// that read. Costs 4 to 10 % of their time. One arena: jemalloc 5.3 makes another when a thread
// begins, and where there is no memory for that the thread ends by a signal at its first
// allocation.
extern "C" {
extern const char* malloc_conf;
const char* malloc_conf = "narenas:1,dirty_decay_ms:100,muzzy_decay_ms:0";
}
