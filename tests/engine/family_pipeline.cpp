#include "tests/engine/family_pipeline.h"
#include "core/engine/weights/quantize_weights.h"
#include "tests/engine/cpu_device.h"

#include "core/base/text_parts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace qs::tests {

namespace {

using tests::kCpu;

}  // namespace

FamilyPipeline::FamilyPipeline(const std::string& reference, const core::ShapePoint& shape,
                               const core::HostTensors& inputs, const std::string& precision)
    : m_device(core::describeCpu()), m_backend(engine::makeCpuBackend())
{
    auto opened = core::openModel(reference, "", 42);
    EXPECT_TRUE(opened.ok()) << opened.error().message;
    m_model = std::move(opened.value().model);
    m_recipe = core::makeRecipe(*m_model.family, core::splitAt(precision, '/'), "every").value();
    auto program = core::lower(*m_model.family, {m_recipe, shape, {}});
    EXPECT_TRUE(program.ok()) << program.error().message;
    m_program = std::move(program).value();
    engine::WeightLoader loader = engine::WeightLoader::create(m_model, kCpu).value();
    const auto everything = [](auto...) { return true; };
    for (std::size_t stage = 0; stage < m_program.stages.size(); ++stage)
        m_weights.push_back(
            loader.load(stage, m_program.stages[stage].workingType, everything).value());
    for (std::size_t stage = 0; stage < m_program.stages.size(); ++stage) {
        const std::size_t owner = m_model.family->stages()[stage].sharedWith.value_or(stage);
        const engine::QuantizedStage shared{m_program.stages[owner], m_weights[owner]};
        const core::Status status =
            engine::quantizeWeights(m_weights[stage], m_program.stages[stage], kCpu, everything,
                                    owner == stage ? nullptr : &shared);
        EXPECT_TRUE(status.ok()) << status.error().message;
    }
    auto pipeline = engine::Pipeline::create(m_program, m_weights, inputs, m_device, *m_backend);
    EXPECT_TRUE(pipeline.ok()) << pipeline.error().message;
    m_pipeline = std::move(pipeline).value();
}

core::FloatArray floats(const core::HostTensor& tensor)
{
    return {tensor.shape, std::get<std::vector<float>>(tensor.values)};
}

double largestDifference(const core::FloatArray& a, const core::FloatArray& b)
{
    EXPECT_EQ(a.shape, b.shape);
    double largest = 0.0;
    for (std::size_t i = 0; i < std::min(a.values.size(), b.values.size()); ++i)
        largest = std::max(largest, std::abs(static_cast<double>(a.values[i]) - b.values[i]));
    return largest;
}

}  // namespace qs::tests
