#include "core/model/exported/family.h"

#include "core/graph/exported/exported_archive.h"
#include "core/model/exported/open_exported.h"
#include "core/model/exported/program_inputs.h"

namespace qs::core::exported {

FamilySpec familySpec()
{
    return {.name = "exported",
            .description = "Any model as torch.export.save writes it (.pt2)",
            .sizes = sizeSpecs(),
            .stages = {std::string(kStage)},
            .recognises = isExportedArchive,
            .open = openExported,
            .inspect = inspectExported};
}

}  // namespace qs::core::exported
