#include "core/model/exported/family.h"

#include "core/graph/exported/exported_archive.h"
#include "core/model/exported/open_exported.h"
#include "core/model/exported/program_inputs.h"
#include "core/model/joined_paths.h"

namespace qs::core::exported {

FamilySpec familySpec()
{
    return {.name = "exported",
            .description = "Any model as torch.export.save writes it (.pt2)",
            .sizes = sizeSpecs(),
            .stages = {std::string(kStage)},
            .recognises =
                [](const std::filesystem::path& path) {
                    return joinedPaths(path).size() > 1 || isExportedArchive(path);
                },
            .open = openExported,
            .inspect = inspectExported};
}

}  // namespace qs::core::exported
