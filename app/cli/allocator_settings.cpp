// Read by jemalloc at its start. Reports of long runs have to stay small: what is free goes back to
// the system within a tenth of a second instead of ten, also where other work delays the threads
// that read. Costs 4 to 10 % of their time.
extern "C" {
extern const char* malloc_conf;
const char* malloc_conf = "dirty_decay_ms:100,muzzy_decay_ms:0";
}
