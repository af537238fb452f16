#pragma once

#include "core/engine/compile/fused_kernel.h"

#include <functional>
#include <string>
#include <vector>

namespace qs::engine {

// One of several ways to compute a group.
struct Candidate {
    std::string name;
    std::string text;  // what it is made of
    std::function<MadeKernel()> make;
    bool isSource = false;  // the text is that of a kernel, without the prelude
};

// One for each source, whose kernel `make` makes. The sources must outlive them.
template <class Source, class Make>
[[nodiscard]] std::vector<Candidate> candidatesOf(const std::vector<Source>& sources, Make make)
{
    std::vector<Candidate> candidates;
    for (const Source& source : sources)
        candidates.push_back(
            {source.shape.name(), source.text, [&source, make] { return make(source); }, true});
    return candidates;
}

// The group as its operations compute it.
[[nodiscard]] Candidate ofLibrary(const KernelSite& site);

// Seconds of one call, the least of several blocks of many in a row within a recording; an error
// where the device does not take it. `turns`: inputs, those of one call after the other.
[[nodiscard]] core::Result<double> leastSeconds(Backend& backend,
                                                const std::function<void(const Tensors&)>& call,
                                                const std::vector<Tensors>& turns);

// The candidate that is the fastest on this device and driver, which is tried once and kept with
// the kernels. Sources are compiled side by side first, on threads of their own. Each is timed many
// times in a row within a recording, so that the host plays no part: some milliseconds each; GPU
// thread. Those that the device does not take are passed over; an error if it takes none. `turns`:
// inputs, those of one call after the other; asked for where there is something to try.
[[nodiscard]] MadeKernel fastest(const KernelSite& site, const std::vector<Candidate>& candidates,
                                 const std::function<std::vector<Tensors>()>& turns);

// Inputs of calls one after the other, each with weights of its own: so many that the cache has
// forgotten the first ones when they come again. In a pass they come from memory, unless all of a
// model's fit into the cache. `weights`: which of the inputs are; none where it is empty.
[[nodiscard]] std::vector<Tensors> withWeightsOfTheirOwn(const Tensors& inputs,
                                                         const std::vector<bool>& weights);

}  // namespace qs::engine
