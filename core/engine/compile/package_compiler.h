#pragma once

#include "core/base/result.h"
#include "core/base/temporary_folder.h"
#include "core/engine/cell_observer.h"
#include "core/engine/compile/compile_jobs.h"
#include "core/engine/compile/compiler_versions.h"
#include "core/engine/compile/stage_package.h"
#include "core/measure/compile_record.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace qs::engine {

// Note [Packages]
// A stage, or a region of it, becomes an archive of shapes without weights, which a Python process
// compiles with Inductor into a package without constants; the worker gives it the tensors that it
// has anyway. The package is kept under the hash of all that decides it: archive, mode, device,
// Torch, script, versions of what compiles. So equal programs share one, and no second sweep
// compiles it again. Packages are programs: the folder is the user's own, and what lies there
// counts only with the hash that its record has.

// Makes packages, or finds them in the folder. Several programs may use one folder at a time.
class PackageCompiler final
{
public:
    static constexpr std::uintmax_t kMostBytes = std::uintmax_t{8} << 30U;

    // With an empty folder, packages live as long as this. Without versions, the compiler is asked
    // for them when it is first needed.
    explicit PackageCompiler(std::filesystem::path folder, CompilerVersions versions = {},
                             std::uintmax_t mostBytes = kMostBytes)
        : m_folder(std::move(folder)), m_versions(std::move(versions)), m_mostBytes(mostBytes)
    {
    }

    // One for each request. Takes minutes if it has to compile, several programs at a time; asks
    // ten times a second whether to go on, and tells each program that is compiled as progress.
    [[nodiscard]] core::Result<std::vector<StagePackage>>
    provide(const std::vector<PackageRequest>& requests, CellObserver& observer);

private:
    [[nodiscard]] core::Status findFolder();
    [[nodiscard]] std::optional<StagePackage> find(const std::string& content) const;
    void remember(const std::string& content, const std::filesystem::path& made,
                  core::StageCompile& compile) const;

    std::filesystem::path m_folder;
    CompilerVersions m_versions;
    std::uintmax_t m_mostBytes;
    std::optional<core::TemporaryFolder> m_own;
};

}  // namespace qs::engine
