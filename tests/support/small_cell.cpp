#include "tests/support/small_cell.h"

#include "core/base/checks.h"
#include "core/base/npy.h"

#include <cmath>

namespace qs::tests {

core::CellRequest smallCell(const std::filesystem::path& folder, const std::string& model,
                            int count, int size)
{
    core::FloatArray pictures{{count, 3, size, size}, {}};
    for (int i = 0; i < count * 3 * size * size; ++i)
        pictures.values.push_back(static_cast<float>(std::sin(0.32 / size * i)));
    core::CellRequest request;
    request.runFolder = folder;
    request.inputFile = "pictures.npy";
    QS_ASSERT(core::writeNpy(request.inputs(), pictures).ok());
    request.keptOutputs = count;
    request.config.model = model;
    request.config.precision = {"bf16"};
    request.config.batch = 2;
    request.config.sizes.set("image_size", size);
    request.measurement.minimumWarmupSeconds = 0.0;
    request.measurement.maximumWarmupSeconds = 0.05;
    request.measurement.minimumSampleSeconds = 0.01;
    request.measurement.maximumSampleSeconds = 0.1;
    request.measurement.minimumSamples = 3;
    return request;
}

std::vector<std::string> outputHashes(const core::CellResult& result)
{
    std::vector<std::string> hashes;
    for (const core::OutputRecord& output : result.outputs)
        hashes.push_back(output.sha256);
    return hashes;
}

}  // namespace qs::tests
