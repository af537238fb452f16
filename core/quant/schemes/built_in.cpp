#include "core/quant/schemes/built_in.h"

namespace qs::core {

std::vector<SchemeSpec> builtInSchemes()
{
    std::vector<SchemeSpec> all;
    for (const auto& rows : {floatSchemes(), int8Schemes(), float8Schemes(), int4Schemes(),
                             calibratedInt8Schemes(), gptqSchemes(), delayedFloat8Schemes()})
        all.insert(all.end(), rows.begin(), rows.end());
    return all;
}

}  // namespace qs::core
