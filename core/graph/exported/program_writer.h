#pragma once

#include "core/base/atomic_file.h"
#include "core/base/file_place.h"
#include "core/base/result.h"
#include "core/graph/exported/exported_program.h"
#include "core/graph/graph.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

// Gives the contents of a Weight value, row-major and little-endian in the value's type, to the
// sink.
using WeightBytes = std::function<Status(const Value& weight, const TextSink& sink)>;

// The same program for another batch.
struct BatchGraph {
    std::int64_t batch = 0;
    Graph graph;
};

struct ProgramToWrite {
    const Graph& graph;
    // What makes tensors out of nothing makes them there: "cpu", "cuda".
    std::string device = "cpu";
    // Empty: the archive says shapes and types of the weights alone, and they load as zeros. What
    // compiles a program needs no more.
    WeightBytes weights = {};
    // Constants are buffers that are not saved with the module, under their names. Inductor gives
    // other constants names of its own, by which nobody could set them.
    bool constantsAsBuffers = false;
    // Not empty: the archive has a symbol for the batch, of which the first one here is the example
    // and whose graph is `graph`; see core/graph/exported/free_batch.h.
    std::span<const BatchGraph> batches = {};
};

// The program as an archive of torch.export (.pt2) that torch.export.load of torch 2.11 takes: a
// function of the graph's inputs in their order, with the output itself or a tuple of several.
// Weights and states keep their names, as parameters and buffers of the exported module; states
// hold what they begin as. Module paths stand in the metadata of the nodes. TF32 is no part of the
// format: whoever runs the program sets the flag.
//
// Operations of ours are an error: a stage is written as its reference expansion
// (core/lower/reference.h). So are names of tensors that are no path of an attribute: "a" beside
// "a.b".
[[nodiscard]] Status writeExportedProgram(const ProgramToWrite& program, const FilePlace& place);

// A tensor of an archive and where its bytes come from.
struct ArchiveTensor {
    std::string name;                                           // in the module
    exported::InputRole role = exported::InputRole::Parameter;  // or Buffer, or Constant
    exported::TensorDescription type;
    std::uint64_t bytes = 0;  // 0: only its type is written
    std::function<Status(const TextSink&)> content;
    std::optional<std::size_t> sameAs = {};  // the place of an earlier one that it is
};
// A program that stands in these words already. Errors as above.
[[nodiscard]] Status writeProgram(const exported::ExportedProgram& program,
                                  const std::vector<ArchiveTensor>& tensors,
                                  std::string_view device, const FilePlace& place);

// What the exported module holds, by its name there: weights, states and constants.
[[nodiscard]] std::map<std::string, ValueId> heldTensors(const Graph& graph);

}  // namespace qs::core
