#pragma once

#include "core/device/description.h"
#include "core/lower/reference.h"
#include "core/model/model.h"
#include "core/sweep/cell.h"
#include "core/sweep/preset.h"

#include <vector>

namespace qs::core {

// Note [Estimates]
// How long a sweep is going to take, before anything ran: good for "about 40 minutes", and never
// shown as a measurement. Typical error: a factor of two; int8 products on Hopper are slower than
// assumed, and attention by the math kernel is. Monotone: a larger batch never makes a pass, or any
// phase but the outputs, shorter.
//   pass     operations one after the other: FLOPs / rate + bytes / bandwidth; eager at least one
//            launch per operation
//   rates    per multiprocessor from the generation's FLOPs a cycle at a sustained 1.4 GHz and 80 %
//            of peak, which is 605 TFLOP/s in bfloat16 for the 132 of an H200
//   kernels  of `fused`: half a second for those between products, and a third for each product of
//            another size, which of 8 bits is tried about 700 times; between 0.6 and 2 times what
//            rows measured on an H200 say, less where earlier cells left some
//   CPU      20 GFLOP/s and 5 GB/s per thread in every type

inline constexpr double kLaunchSeconds = 6e-6;  // one boxed operation from the host
// Of products of that type.
[[nodiscard]] double flopsPerSecond(const DeviceDescription& device, DType dtype, bool allowTf32);

// What one pass takes in the compile modes of its stages. Seconds.
struct PassWork {
    double pass = 0.0;
    double preparation = 0.0;  // of all stages before the first timed pass, their first passes too
    double compile = 0.0;      // of that, what stages take that are not eager
    double packages = 0.0;     // of compilers, ours too, once: later rounds find what they made
};
// `stages` are those of the program on that device.
[[nodiscard]] PassWork passWork(const Program& program, const std::vector<ReferenceStage>& stages,
                                const DeviceDescription& device);

// What stages take that are not eager, before the first timed pass of a round: its share of what
// compilers take once.
[[nodiscard]] double compileSeconds(const PassWork& work, const Preset& preset);

// What operations read of weights in a pass, each byte once: of a table the rows that are asked
// for.
[[nodiscard]] std::int64_t weightBytesRead(const ModelFamily& family,
                                           const std::vector<ReferenceStage>& stages);

// Weights from their files, or a generator, to the device.
[[nodiscard]] double loadSeconds(const Model& model, const DeviceDescription& device);

// One cell, one round. Seconds.
struct CellEstimate {
    double start = 0.0;  // a fresh worker process
    double load = 0.0;
    double calibrate = 0.0;  // its share of a round: the first one makes what later ones find
    double compile = 0.0;    // first pass, capture; of packages the share of a round
    double warmup = 0.0;
    double measure = 0.0;
    double energy = 0.0;   // passes for the energy counter, if they are asked for
    double outputs = 0.0;  // the pictures of the preset, in chunks of the batch

    [[nodiscard]] double total() const
    {
        return start + load + calibrate + compile + warmup + measure + energy + outputs;
    }
};

[[nodiscard]] CellEstimate estimateCell(const PassWork& work, const CellConfig& cell,
                                        const Model& model, const DeviceDescription& device,
                                        const Preset& preset);

}  // namespace qs::core
