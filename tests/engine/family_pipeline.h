#pragma once

#include "core/engine/execute/pipeline.h"
#include "core/engine/internal/backend.h"
#include "core/engine/weights/weight_loader.h"
#include "core/lower/program.h"
#include "core/model/catalogue.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace qs::tests {

// A model with its weights, lowered and made runnable on the CPU: what a cell does, without the
// measuring.
class FamilyPipeline final
{
public:
    // `precision` as in a cell; every layer is matched.
    FamilyPipeline(const std::string& reference, const core::ShapePoint& shape,
                   const core::HostTensors& inputs, const std::string& precision = "fp32");

    [[nodiscard]] engine::Pipeline& pipeline() { return *m_pipeline; }
    [[nodiscard]] const core::Model& model() const { return m_model; }
    [[nodiscard]] const core::Program& program() const { return m_program; }
    [[nodiscard]] const core::Recipe& recipe() const { return m_recipe; }
    [[nodiscard]] const std::vector<engine::StageWeights>& weights() const { return m_weights; }

private:
    core::Model m_model;
    core::Recipe m_recipe;
    core::Program m_program;
    core::DeviceDescription m_device;
    std::unique_ptr<engine::Backend> m_backend;
    std::vector<engine::StageWeights> m_weights;
    std::unique_ptr<engine::Pipeline> m_pipeline;
};

// float32 contents of an output that is one.
[[nodiscard]] core::FloatArray floats(const core::HostTensor& tensor);
// The largest difference of two arrays of one shape.
[[nodiscard]] double largestDifference(const core::FloatArray& a, const core::FloatArray& b);

}  // namespace qs::tests
