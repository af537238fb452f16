#include "core/record/token_array.h"

namespace qs::core {

FilePlace tokenArray(const std::filesystem::path& runFolder, const std::string& place,
                     TokenFile file, int sample)
{
    return FilePlace::inside(runFolder,
                             std::filesystem::path("cells") / place / tokenFileName(file, sample));
}

}  // namespace qs::core
