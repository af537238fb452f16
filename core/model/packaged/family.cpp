#include "core/model/packaged/family.h"

#include "core/model/packaged/open_package.h"
#include "core/model/packaged/package_archive.h"
#include "core/model/packaged/packaged_family.h"

namespace qs::core::packaged {

FamilySpec familySpec()
{
    return {.name = "package",
            .description = "A compiled program of AOTInductor (.pt2), run as it is if you trust it",
            .stages = {std::string(kStage)},
            .recognises = isPackage,
            .open = openPackage,
            .inspect = inspectPackage};
}

}  // namespace qs::core::packaged
