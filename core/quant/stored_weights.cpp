#include "core/quant/stored_weights.h"

#include "core/model/checkpoint_tensors.h"
#include "core/quant/recipe.h"
#include "core/quant/scheme.h"

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace qs::core {

StoredType storedTypeOf(DType type)
{
    switch (type) {
    case DType::Float32:
        return StoredType::F32;
    case DType::Float16:
        return StoredType::F16;
    case DType::BFloat16:
        return StoredType::BF16;
    case DType::Float8E4M3:
        return StoredType::F8_E4M3;
    case DType::Int8:
        return StoredType::I8;
    case DType::UInt8:
        return StoredType::U8;
    case DType::Int32:
        return StoredType::I32;
    case DType::Int64:
        return StoredType::I64;
    case DType::Bool:
        return StoredType::BOOL;
    case DType::Float64:
        return StoredType::F64;
    }
    return StoredType::F32;
}

namespace {

class StoredWeightsCheck final
{
public:
    StoredWeightsCheck(const Model& model, const StoredWeights& stored)
        : m_model(model), m_stored(stored)
    {
    }

    [[nodiscard]] Status run()
    {
        for (const std::filesystem::path& file : m_stored.files) {
            QS_TRY(SafetensorsFile opened, openSafetensors(file));
            m_files.push_back(std::move(opened));
        }
        for (const StageInfo& stage : m_model.family->stages()) {
            for (const WeightSpec& spec : stage.weights) {
                const std::string key = stage.name + "/" + spec.name;
                const auto found = m_model.quantized.find(key);
                if (found != m_model.quantized.end())
                    QS_RETURN_IF_ERROR(checkWeight(key, spec, found->second));
            }
        }
        return {};
    }

private:
    [[nodiscard]] Error refuse(std::size_t file, const std::string& what) const
    {
        return {ErrorCode::Format, m_stored.files.at(file).string() + ": " + what +
                                       ". Write or download the checkpoint again"};
    }

    [[nodiscard]] Status checkWeight(const std::string& key, const WeightSpec& spec,
                                     const std::string& text) const
    {
        const auto scheme = parseScheme(text);
        if (!scheme.ok())
            return refuse(0, key + " is stored as \"" + text + "\", " + scheme.error().message);
        if (!quantizesWeights(scheme.value()) || spec.shape.size() < 2)
            return refuse(0, key + " cannot be stored as \"" + text + "\"");
        const std::int64_t out = spec.shape.front();
        const std::int64_t in = spec.elementCount() / out;
        if (const auto objection = sizeObjection(scheme.value(), in, out))
            return refuse(0, key + " cannot be stored as \"" + text + "\": " + *objection);
        for (const StoredPart& part : scheme.value()->stored(scheme.value(), out, in))
            QS_RETURN_IF_ERROR(checkPart(storedName(key, part), part.type, text));
        return {};
    }

    [[nodiscard]] Status checkPart(const std::string& key, const TensorType& type,
                                   const std::string& scheme) const
    {
        const auto place = m_stored.places.find(key);
        if (place == m_stored.places.end())
            return refuse(0, key + " is missing, as \"" + scheme + "\" stores it");
        if (place->second.form != StoredForm::AsIs)
            return {};
        const TensorEntry* entry = m_files.at(place->second.file).find(place->second.name);
        const std::vector<std::int64_t> shape(entry->shape.begin(), entry->shape.end());
        if (entry->dtype == storedTypeOf(type.dtype) && shape == type.shape)
            return {};
        return refuse(place->second.file, place->second.name + " is " +
                                              std::string(toString(entry->dtype)) + " " +
                                              shapeText(shape) + " and not " + toText(type) +
                                              ", as \"" + scheme + "\" stores it");
    }

    const Model& m_model;
    const StoredWeights& m_stored;
    std::vector<SafetensorsFile> m_files;
};

}  // namespace

Status checkStoredWeights(const Model& model)
{
    const auto* stored = std::get_if<StoredWeights>(&model.weights);
    if (model.quantized.empty() || stored == nullptr)
        return {};
    return StoredWeightsCheck(model, *stored).run();
}

}  // namespace qs::core
