#pragma once

#include "core/base/enum_names.h"
#include "core/base/json.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

// Note [Profile of a pass]
// After all that is timed or counted, a few more passes run under the profiler of PyTorch, which
// tells of each kernel of a GPU, or each operation of a CPU, when it ran. No figure of a cell comes
// from these passes, only how its time divides: among kinds of work, and what no work fills. That
// is the gap between launches where the host cannot keep up with the GPU; on a CPU it is dispatch,
// and code that a compiler generated, which the profiler does not see.

// What a kernel is there for.
enum class WorkKind {
    Product,      // with weights or of activations: linear layers, convolutions
    Attention,    // scaled dot-product attention in one kernel
    Quantize,     // all of a quantized layer but its product: codes, scales, bias
    Elementwise,  // normalisation, activation functions, reductions
    Copy,         // moves data: casts, concatenation, gather, copies and fills of the driver
    Unknown,      // names nothing that we know
};
inline constexpr auto kWorkKinds = enumNames<WorkKind>({{WorkKind::Product, "product"},
                                                        {WorkKind::Attention, "attention"},
                                                        {WorkKind::Quantize, "quantize"},
                                                        {WorkKind::Elementwise, "elementwise"},
                                                        {WorkKind::Copy, "copy"},
                                                        {WorkKind::Unknown, "unknown"}});

// All launches of one kernel, or all calls of one operation, for one kind of work in one pass.
struct KernelTime {
    std::string name;
    WorkKind kind = WorkKind::Unknown;
    double calls = 0.0;    // per pass
    double seconds = 0.0;  // per pass, all calls together; none while another one before it ran

    bool operator==(const KernelTime&) const = default;
};

// Per pass. Empty if none was made.
struct PassProfile {
    double passSeconds = 0.0;  // from the first start to the last end, gaps included
    double busySeconds = 0.0;  // of it, while at least one kernel ran
    double launches = 0.0;     // kernels and copies of a GPU, operations of a CPU
    // Longest first; of those beyond kMostKernels nothing but `rest` is kept.
    std::vector<KernelTime> kernels = {};
    std::vector<KernelTime> rest = {};  // one for each kind; no names
    // SHA-256 over names and calls of all kernels: equal for passes that ran the same ones.
    std::string fingerprint = {};

    static constexpr std::size_t kMostKernels = 32;

    bool operator==(const PassProfile&) const = default;
    [[nodiscard]] double seconds(WorkKind kind) const;
};

// One kernel of a profiled stretch.
struct KernelEvent {
    std::string name;
    WorkKind kind = WorkKind::Unknown;
    double start = 0.0;  // seconds, of any clock
    double seconds = 0.0;
};

// Of all events of so many passes, in any order.
[[nodiscard]] PassProfile profileOf(const std::vector<KernelEvent>& events, int passes);

// From the name alone: where no operation is known that a kernel belongs to. Kernels of a compiler
// bear the names of what they fuse; one that rounds is called Quantize.
[[nodiscard]] WorkKind workKindOf(std::string_view kernel);

// Of products on a GPU: whether the kernel was written for a chip older than compute capability
// 9.0, by its name ("cutlass_80", "wmma").
[[nodiscard]] bool isForOlderChip(std::string_view kernel);

// Gives events, in the order of their start, the kinds of a second list of the same work in the
// same order, of which the kinds are known: of a recorded pass those of the operations that were
// recorded. What the list does not have is told by its name.
void takeKinds(std::vector<KernelEvent>& events, const std::vector<KernelEvent>& known);

[[nodiscard]] Json toJson(const PassProfile& profile);
[[nodiscard]] PassProfile passProfileFromJson(const JsonView& json, const std::string& path,
                                              std::vector<JsonIssue>& issues);

}  // namespace qs::core
