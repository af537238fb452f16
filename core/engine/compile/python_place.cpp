#include "core/engine/compile/python_place.h"

#include <ATen/Context.h>

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace qs::engine {

namespace fs = std::filesystem;

namespace {

// .../lib/python3.11/site-packages/torch/lib/libtorch_cpu.so
fs::path torchLibrary()
{
    Dl_info info{};
    const auto address = reinterpret_cast<const void*>(&at::globalContext);
    if (::dladdr(address, &info) == 0 || info.dli_fname == nullptr)
        return {};
    return info.dli_fname;
}

fs::path packagesOfTorch()
{
    return torchLibrary().parent_path().parent_path().parent_path();
}

bool canBeStarted(const fs::path& program)
{
    return ::access(program.c_str(), X_OK) == 0;
}

}  // namespace

core::Result<fs::path> pythonOfTorch()
{
    if (const char* named = std::getenv("QUANTSCOPE_PYTHON"); named != nullptr && *named != '\0')
        return fs::path(named);
    const fs::path packages = packagesOfTorch();
    const fs::path library = packages.parent_path();  // python3.11
    const std::string version = library.filename().string();
    const fs::path prefix = library.parent_path().parent_path();
    for (const fs::path& folder :
         {prefix / "bin", fs::path("/usr/bin"), fs::path("/usr/local/bin")}) {
        for (const std::string& name : {version, std::string("python3")}) {
            if (!name.empty() && canBeStarted(folder / name))
                return folder / name;
        }
    }
    return core::Error{core::ErrorCode::NotFound, "no Python for the Torch in " +
                                                      packages.string() +
                                                      "; QUANTSCOPE_PYTHON can name one"};
}

}  // namespace qs::engine
