#include "core/measure/token_files.h"

namespace qs::core {

std::string tokenFileName(TokenFile file, int sample)
{
    return std::string(file == TokenFile::Prompt ? "prompt_" : "generated_") +
           std::to_string(sample) + ".npy";
}

}  // namespace qs::core
