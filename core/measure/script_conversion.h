#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/model/declared_input.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace qs::core {

// Note [Conversion of programs]
// A TorchScript file is a program: it is read, but not run, until its user trusts the SHA-256 of
// its bytes. Then a worker that is shut off (core/base/sandbox.h) loads it, records what it does
// with inputs of the declared shapes, and writes that as an archive of torch.export, which is data
// like any other: the model that is measured. The file itself is never run again. A package of
// AOTInductor is tried in the same way; what it gives is written instead, and the package is run
// whenever it is measured.
struct ConversionRequest {
    std::string program;  // the file
    std::string sha256;   // of the bytes that are trusted; others are not loaded
    std::vector<DeclaredInput> inputs;
    std::string archive;  // to be written, in the folder that the worker may write to

    bool operator==(const ConversionRequest&) const = default;
};
[[nodiscard]] Json toJson(const ConversionRequest& request);
[[nodiscard]] Result<ConversionRequest> conversionRequestFromJson(const Json& json);

struct ConversionResult {
    std::int64_t operations = 0;
    std::int64_t parameters = 0;
    // Why the batch could not be left free; empty if it is, or if no input has one.
    std::string fixedBatch;
    // Of the archive's outputs, run as a graph, from those of the program itself: the root of the
    // sums of squares, largest of all outputs.
    double relativeDifference = 0.0;
    bool filesShut = false;    // the kernel kept the worker from writing elsewhere
    bool networkShut = false;  // and from the network
    // Of a package (core/model/packaged), which is tried and not converted: nothing of the above
    // but the last three is said of it. What it gives, as declared inputs are written.
    std::vector<std::string> outputs = {};
    std::int64_t lowestBatch = 1;

    bool operator==(const ConversionResult&) const = default;
};
[[nodiscard]] Json toJson(const ConversionResult& result);
[[nodiscard]] Result<ConversionResult> conversionResultFromJson(const Json& json);

}  // namespace qs::core
