#include "tests/engine/golden_tensors.h"

#include "core/model/safetensors/safetensors.h"
#include "tests/support/test_folder.h"

#include <ATen/ops/empty.h>
#include <gtest/gtest.h>

#include <cstddef>

namespace qs::tests {

namespace {

c10::ScalarType torchType(core::StoredType type)
{
    switch (type) {
    case core::StoredType::F32:
        return at::kFloat;
    case core::StoredType::F16:
        return at::kHalf;
    case core::StoredType::BF16:
        return at::kBFloat16;
    case core::StoredType::I8:
        return at::kChar;
    case core::StoredType::U8:
        return at::kByte;
    case core::StoredType::F8_E4M3:
        return at::kFloat8_e4m3fn;
    default:
        ADD_FAILURE() << "a golden file holds " << core::toString(type);
        return at::kFloat;
    }
}

}  // namespace

engine::NamedTensors readGoldenTensors(const std::string& file)
{
    const core::SafetensorsFile opened = core::openSafetensors(dataFile(file)).value();
    engine::NamedTensors tensors;
    for (const core::TensorEntry& entry : opened.tensors()) {
        const std::vector<std::int64_t> shape(entry.shape.begin(), entry.shape.end());
        const at::Tensor tensor = at::empty(shape, torchType(entry.dtype));
        auto* bytes = static_cast<std::byte*>(tensor.data_ptr());
        EXPECT_TRUE(opened.read(entry, {bytes, entry.bytes()}).ok()) << entry.name;
        tensors.emplace(entry.name, tensor);
    }
    return tensors;
}

}  // namespace qs::tests
