#include "core/model/quantized/layout.h"

#include "core/model/checkpoint_tensors.h"

#include <algorithm>

namespace qs::core::quantized {

namespace {

std::string typesText(const std::vector<StoredType>& types)
{
    std::vector<std::string> names;
    for (const StoredType type : types)
        names.emplace_back(toString(type));
    return listText(names);
}

std::string extentsText(const std::vector<std::uint64_t>& shape)
{
    return shapeText({shape.begin(), shape.end()});
}

}  // namespace

std::string textOf(const SafetensorsFile& file, const std::string& key)
{
    const auto found = file.metadata().find(key);
    return found == file.metadata().end() ? std::string() : found->second;
}

Error refuse(const SafetensorsFile& file, const std::string& why)
{
    return {ErrorCode::Format,
            file.path().string() + ": " + why + ". Write or download the checkpoint again"};
}

Result<const TensorEntry*> require(const SafetensorsFile& file, const std::string& name,
                                   const Expected& expected)
{
    const TensorEntry* entry = file.find(name);
    if (entry == nullptr)
        return refuse(file, name + " is missing");
    const auto& types = expected.types;
    if (std::find(types.begin(), types.end(), entry->dtype) == types.end())
        return refuse(file, name + " is stored as " + std::string(toString(entry->dtype)) +
                                " and not as " + typesText(types));
    if (!std::equal(entry->shape.begin(), entry->shape.end(), expected.shape.begin(),
                    expected.shape.end(), [](std::uint64_t extent, std::uint64_t wanted) {
                        return wanted == 0 || extent == wanted;
                    }))
        return refuse(file, name + " has the shape " + extentsText(entry->shape) + " and not " +
                                extentsText(expected.shape));
    return entry;
}

const std::vector<StoredType>& floatTypes()
{
    static const std::vector<StoredType> types{StoredType::F32, StoredType::F16, StoredType::BF16};
    return types;
}

std::string restOption(StoredType type)
{
    if (type == StoredType::F16)
        return ":rest=fp16";
    return type == StoredType::F32 ? ":rest=fp32" : "";
}

}  // namespace qs::core::quantized
