#include "core/analysis/batch_family.h"

#include "core/sweep/cell_member.h"

namespace qs::core {

std::string batchFamilyKey(CellConfig config)
{
    config.batch = 1;
    return cellKey(config);
}

}  // namespace qs::core
