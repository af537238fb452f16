#pragma once

#include "core/graph/dtype.h"

#include <cstdint>
#include <optional>
#include <string_view>

// The words of torch.export's archives (torch/_export/serde/schema.py, version 8) that our writer
// and our reader share.
namespace qs::core::exported {

inline constexpr std::string_view kArchiveFormat = "pt2";
inline constexpr std::string_view kModelEntry = "models/model.json";
inline constexpr std::string_view kWeightsFolder = "data/weights/";
inline constexpr std::string_view kWeightsConfig = "data/weights/model_weights_config.json";
inline constexpr std::string_view kConstantsFolder = "data/constants/";
inline constexpr std::string_view kConstantsConfig = "data/constants/model_constants_config.json";

inline constexpr std::int64_t kSchemaMajor = 8;
inline constexpr std::int64_t kSchemaMinor = 17;
// Strided, of the enumeration Layout.
inline constexpr std::int64_t kStrided = 7;

// Numbers of the enumeration ScalarType.
[[nodiscard]] std::int64_t scalarTypeOf(DType dtype);
// Nothing for types that no tensor of ours has.
[[nodiscard]] std::optional<DType> dtypeOf(std::int64_t scalarType);
// "complex64"; for messages. Empty for numbers that the schema does not know.
[[nodiscard]] std::string_view scalarTypeName(std::int64_t scalarType);

}  // namespace qs::core::exported
