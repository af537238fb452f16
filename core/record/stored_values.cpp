#include "core/record/stored_values.h"

#include "core/base/files.h"
#include "core/record/run_folder.h"
#include "core/stats/rows.h"

#include <cmath>

namespace qs::core {

namespace {

// As much as a run keeps of the outputs of one cell; a larger file is damaged.
constexpr std::uint64_t kMostOutputBytes = std::uint64_t{512} << 20U;

Result<FloatArray> readArray(const FilePlace& place, std::uint64_t limitBytes)
{
    if (!isThere(place))
        return Error{ErrorCode::NotFound,
                     "the run folder has no " + place.path().filename().string() + " of this cell"};
    QS_TRY(FloatArray array, readNpy(place, limitBytes));
    if (array.values.empty())
        return Error{ErrorCode::Format, place.string() + " has no values"};
    if (const Status finite = checkFinite(array.values, place.string()); !finite.ok())
        return Error{ErrorCode::Format, finite.error().message};
    return array;
}

}  // namespace

Result<FloatArray> readStoredValues(const std::filesystem::path& runFolder,
                                    const std::string& place, int sample)
{
    return readArray(outputArray(runFolder, place, sample), kMostOutputBytes);
}

Result<std::vector<std::int64_t>> readStoredTokens(const std::filesystem::path& runFolder,
                                                   const std::string& place, TokenFile file,
                                                   int sample)
{
    const FilePlace path = tokenArray(runFolder, place, file, sample);
    QS_TRY(const FloatArray array,
           readArray(path, static_cast<std::uint64_t>(kMostKeptTokens) * sizeof(float)));
    auto tokens = tokensOf(array);
    if (!tokens.ok())
        return tokens.error().within(path.string());
    return tokens;
}

Result<std::vector<std::int64_t>> tokensOf(const FloatArray& array)
{
    if (array.values.size() > static_cast<std::size_t>(kMostKeptTokens))
        return Error{ErrorCode::Format,
                     "more than " + std::to_string(kMostKeptTokens) + " token ids"};
    std::vector<std::int64_t> tokens;
    tokens.reserve(array.values.size());
    for (const float value : array.values) {
        if (!(value >= 0.0F && value <= static_cast<float>(kHighestTokenId)) ||
            std::trunc(value) != value)
            return Error{ErrorCode::Format, std::to_string(value) + " is not a token id"};
        tokens.push_back(static_cast<std::int64_t>(value));
    }
    return tokens;
}

}  // namespace qs::core
