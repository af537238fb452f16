#pragma once

#include "core/base/file_place.h"
#include "core/base/result.h"
#include "core/model/model.h"

#include <string>

namespace qs::core {

// A tensor of numbers: a .npy of any type, a tensor of a .safetensors (empty name: its only one),
// or token ids: a .txt whose lines, or a .json whose lists, hold equally many whole numbers.
// Floating types become float32, all others int64; 1 GiB at most. Nothing of a file is run: arrays
// of Python objects are refused.
[[nodiscard]] Result<HostTensor> readTensorFile(const FilePlace& place, const std::string& tensor);

// As .npy: float32 or int64, which readTensorFile() gives back.
[[nodiscard]] std::string encodeNpy(const HostTensor& tensor);

// With int64 or float32 values, as an input takes them; refuses to make whole numbers of others.
[[nodiscard]] Result<HostTensor> asWhole(HostTensor tensor, bool whole);

}  // namespace qs::core
