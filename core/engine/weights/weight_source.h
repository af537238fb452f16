#pragma once

#include "core/base/result.h"
#include "core/graph/graph.h"
#include "core/model/model.h"
#include "core/model/safetensors/safetensors.h"

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace qs::engine {

// Where the weights of a model come from: files by positioned reads, or the generator on the
// device itself. One tensor at a time is held on the host.
class WeightSource final
{
public:
    // The model outlives the source.
    [[nodiscard]] static core::Result<WeightSource> open(const core::Model& model,
                                                         c10::Device device);

    // At that place, in that type. `stage`: the one that the weight is named in.
    [[nodiscard]] core::Result<at::Tensor> weight(const std::string& stage,
                                                  const core::WeightSpec& spec,
                                                  c10::ScalarType type, c10::Device place);
    // A part of a quantized weight, in the form that its scheme has it in. `key`:
    // "stage/name:codes".
    [[nodiscard]] core::Result<at::Tensor> part(const std::string& key,
                                                const core::TensorType& type);
    // What lies there is not what it should be: Format, naming the file and the tensor.
    [[nodiscard]] core::Error damaged(const std::string& key, const std::string& what) const;
    void releaseBuffer() { m_buffer = {}; }

private:
    WeightSource(const core::Model& model, c10::Device device) : m_model(&model), m_device(device)
    {
    }
    [[nodiscard]] core::Result<at::Tensor> generate(const std::string& stage,
                                                    const core::WeightSpec& spec,
                                                    c10::ScalarType type, c10::Device place) const;
    // Of a tensor that is not dense the whole payload is read: it is what others share as well.
    [[nodiscard]] core::Result<at::Tensor> readSlice(const core::TensorSlice& slice,
                                                     const std::filesystem::path& path,
                                                     const core::WeightSpec& spec,
                                                     c10::ScalarType type, c10::Device place);
    [[nodiscard]] core::Result<at::Tensor> read(const std::string& stage,
                                                const core::WeightSpec& spec, c10::ScalarType type,
                                                c10::Device place);

    const core::Model* m_model;
    c10::Device m_device;
    // Nothing for files that are no safetensors.
    std::vector<std::optional<core::SafetensorsFile>> m_files;
    std::vector<std::byte> m_buffer;
};

// Note [Generated weights], as a composition that gives the same bits on every device. Elements
// first … first + count - 1.
[[nodiscard]] at::Tensor generateOnDevice(std::uint64_t key, float factor, std::int64_t first,
                                          std::int64_t count, c10::Device device);

}  // namespace qs::engine
