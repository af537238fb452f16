#pragma once

#include "core/run/input_set.h"

#include <utility>

namespace qs::tests {

// All pictures of a sequence at once.
struct InputList {
    std::vector<std::string> names;
    std::vector<core::Picture> pictures;
    std::vector<std::string> skipped;
    std::vector<std::string> skippedNames;
};

[[nodiscard]] inline core::Result<InputList>
listInputs(const core::PictureSettings& settings, std::int64_t size,
           const core::InputCache& cache = core::InputCache())
{
    QS_TRY(core::InputSequence sequence, core::InputSequence::open(settings, size, cache));
    InputList list;
    while (true) {
        QS_TRY(std::optional<core::NamedInput> input, sequence.next());
        if (!input)
            break;
        list.names.push_back(std::move(input->name));
        list.pictures.push_back(std::move(input->picture));
    }
    list.skipped = sequence.skipped();
    list.skippedNames = sequence.skippedNames();
    return list;
}

}  // namespace qs::tests
