#include "core/engine/weights/weight_source.h"

#include "core/base/files.h"
#include "core/engine/internal/torch_types.h"
#include "core/model/checkpoint_tensors.h"
#include "core/model/generated_weights.h"

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/as_strided.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/full.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>
#include <variant>

namespace qs::engine {

using core::Error;
using core::ErrorCode;
using core::Result;

namespace {

// Only for types of weights and of their parts (I8, U8 and F8_E4M3: codes; I32: groups of columns,
// and packed codes).
c10::ScalarType loadedType(core::StoredType type)
{
    switch (type) {
    case core::StoredType::F64:
        return c10::ScalarType::Double;
    case core::StoredType::F16:
        return c10::ScalarType::Half;
    case core::StoredType::BF16:
        return c10::ScalarType::BFloat16;
    case core::StoredType::F32:
        return c10::ScalarType::Float;
    case core::StoredType::U8:
        return c10::ScalarType::Byte;
    case core::StoredType::I8:
        return c10::ScalarType::Char;
    case core::StoredType::I32:
        return c10::ScalarType::Int;
    case core::StoredType::F8_E4M3:
        return c10::ScalarType::Float8_e4m3fn;
    case core::StoredType::BOOL:
    case core::StoredType::F4:
    case core::StoredType::F6_E2M3:
    case core::StoredType::F6_E3M2:
    case core::StoredType::F8_E5M2:
    case core::StoredType::F8_E8M0:
    case core::StoredType::F8_E4M3FNUZ:
    case core::StoredType::F8_E5M2FNUZ:
    case core::StoredType::I16:
    case core::StoredType::U16:
    case core::StoredType::U32:
    case core::StoredType::C64:
    case core::StoredType::I64:
    case core::StoredType::U64:
        break;
    }
    return c10::ScalarType::Undefined;
}

bool hasShape(const core::TensorEntry& entry, const std::vector<std::int64_t>& shape)
{
    return std::equal(
        entry.shape.begin(), entry.shape.end(), shape.begin(), shape.end(),
        [](std::uint64_t a, std::int64_t b) { return a == static_cast<std::uint64_t>(b); });
}

// Bytes of a row of codes, in words of 32 bits.
std::int64_t wordsOf(const core::TensorType& codes)
{
    return (codes.shape.at(1) + 3) / 4;
}

bool fits(const core::TensorEntry& entry, const core::TensorType& type, core::StoredForm form)
{
    const c10::ScalarType wanted = toTorch(type.dtype);
    switch (form) {
    case core::StoredForm::AsIs:
        break;
    case core::StoredForm::Packed:
        return entry.dtype == core::StoredType::I32 && type.shape.size() == 2 &&
               hasShape(entry, {type.shape[0], wordsOf(type)});
    case core::StoredForm::Numbers: {
        const bool narrow =
            wanted == c10::ScalarType::Float &&
            (entry.dtype == core::StoredType::F16 || entry.dtype == core::StoredType::BF16);
        return (narrow || loadedType(entry.dtype) == wanted) &&
               entry.elements() == static_cast<std::uint64_t>(type.elementCount());
    }
    }
    return loadedType(entry.dtype) == wanted && hasShape(entry, type.shape);
}

// Words of 32 bits whose lowest bits are the first code, as files have them, are bytes in the order
// of their columns on a machine that has the lowest byte first.
at::Tensor unpacked(const at::Tensor& words, const core::TensorType& type)
{
    const at::Tensor bytes =
        words.view(at::kByte).narrow(1, 0, type.shape[1]);  // without what fills the last word
    if (type.dtype == core::DType::Int8)
        return bytes.bitwise_xor(128).view(at::kChar);  // - 128
    // Two to a byte, the even column in the lower half: it has to be in the upper.
    return bytes.bitwise_right_shift(4).bitwise_or_(bytes.bitwise_left_shift(4));
}

at::Tensor inForm(const at::Tensor& held, const core::TensorType& type, core::StoredForm form)
{
    switch (form) {
    case core::StoredForm::AsIs:
        return held;
    case core::StoredForm::Packed:
        return unpacked(held, type);
    case core::StoredForm::Numbers:
        break;
    }
    return held.to(toTorch(type.dtype)).reshape(type.shape);
}

at::Tensor generateOnCpu(std::uint64_t key, float factor, const core::WeightSpec& spec)
{
    at::Tensor tensor = at::empty(spec.shape, at::kFloat);
    float* data = tensor.data_ptr<float>();
    at::parallel_for(0, tensor.numel(), 1 << 16, [&](std::int64_t begin, std::int64_t end) {
        core::generate(key, factor, static_cast<std::uint64_t>(begin),
                       {data + begin, static_cast<std::size_t>(end - begin)});
    });
    return tensor;
}

}  // namespace

Result<WeightSource> WeightSource::open(const core::Model& model, c10::Device device)
{
    WeightSource source(model, device);
    const auto* stored = std::get_if<core::StoredWeights>(&model.weights);
    if (stored == nullptr)
        return source;
    // No weight is known of a compiled program.
    if (model.family->stages().front().program)
        return source;
    std::set<std::size_t> sliced;
    for (const auto& [name, place] : stored->places) {
        if (place.slice)
            sliced.insert(place.file);
    }
    for (std::size_t i = 0; i < stored->files.size(); ++i) {
        if (sliced.contains(i)) {
            source.m_files.emplace_back();
            continue;
        }
        QS_TRY(core::SafetensorsFile file, core::openSafetensors(stored->files[i]));
        source.m_files.emplace_back(std::move(file));
    }
    return source;
}

Result<at::Tensor> WeightSource::weight(const std::string& stage, const core::WeightSpec& spec,
                                        c10::ScalarType type, c10::Device place)
{
    if (std::holds_alternative<core::GeneratedWeights>(m_model->weights))
        return generate(stage, spec, type, place);
    return read(stage, spec, type, place);
}

Result<at::Tensor> WeightSource::generate(const std::string& stage, const core::WeightSpec& spec,
                                          c10::ScalarType type, c10::Device place) const
{
    const auto options = at::TensorOptions().device(place).dtype(type);
    if (spec.initialiser.kind == core::Initialiser::Kind::Constant)
        return at::full(spec.shape, spec.initialiser.scale, options);
    const auto seed = std::get<core::GeneratedWeights>(m_model->weights).seed;
    const std::uint64_t key = core::generatorKey(seed, stage + "/" + spec.name);
    const float factor = core::generatorFactor(spec.initialiser.scale);
    if (place.is_cpu())
        return generateOnCpu(key, factor, spec).to(type);
    at::Tensor tensor = at::empty(spec.shape, options);
    at::Tensor flat = tensor.view({-1});
    // Integer intermediates take 8 bytes an element: slices keep them small beside the weights.
    constexpr std::int64_t kSlice = std::int64_t{1} << 24U;
    for (std::int64_t first = 0; first < flat.numel(); first += kSlice) {
        const std::int64_t count = std::min(kSlice, flat.numel() - first);
        flat.narrow(0, first, count).copy_(generateOnDevice(key, factor, first, count, place));
    }
    return tensor;
}

Result<at::Tensor> WeightSource::readSlice(const core::TensorSlice& slice,
                                           const std::filesystem::path& path,
                                           const core::WeightSpec& spec, c10::ScalarType type,
                                           c10::Device place)
{
    if (slice.type.shape != spec.shape)
        return Error{ErrorCode::Format, path.string() + ": " + spec.name +
                                            " has a different size than the architecture"};
    QS_TRY(const core::FileDescriptor file, core::openForReading(path));
    m_buffer.resize(slice.bytes);
    QS_RETURN_IF_ERROR(core::readExactlyAt(file, m_buffer, slice.offset, path));
    const c10::ScalarType stored = toTorch(slice.type.dtype);
    const std::int64_t elements =
        static_cast<std::int64_t>(slice.bytes) / core::byteSize(slice.type.dtype);
    const at::Tensor payload = at::from_blob(m_buffer.data(), {elements}, stored);
    const at::Tensor host =
        payload.as_strided(slice.type.shape, slice.strides, slice.firstElement).contiguous();
    at::Tensor tensor = host.to(place).to(type);
    return tensor.is_alias_of(payload) ? tensor.clone() : tensor;
}

Result<at::Tensor> WeightSource::read(const std::string& stage, const core::WeightSpec& spec,
                                      c10::ScalarType type, c10::Device device)
{
    const auto& stored = std::get<core::StoredWeights>(m_model->weights);
    const auto place = stored.places.find(stage + "/" + spec.name);
    if (place == stored.places.end())
        return Error{ErrorCode::NotFound, "no file contains " + stage + "/" + spec.name};
    if (place->second.slice)
        return readSlice(*place->second.slice, stored.files.at(place->second.file), spec, type,
                         device);
    const core::SafetensorsFile& file = m_files.at(place->second.file).value();
    const core::TensorEntry* entry = file.find(place->second.name);
    if (entry == nullptr)
        return Error{ErrorCode::Format,
                     file.path().string() + " has changed: " + place->second.name + " is gone"};
    if (!core::isLoadable(entry->dtype))
        return Error{ErrorCode::Unsupported,
                     file.path().string() + ": " + entry->name + " is stored as " +
                         std::string(core::toString(entry->dtype)) +
                         "; only F32, F64, F16 and BF16 weights can be loaded"};
    if (entry->elements() != static_cast<std::uint64_t>(spec.elementCount()))
        return Error{ErrorCode::Format, file.path().string() + ": " + entry->name +
                                            " has a different size than the architecture"};
    m_buffer.resize(entry->bytes());
    QS_RETURN_IF_ERROR(file.read(*entry, m_buffer));
    // The copy to the device ends before the m_buffer is used again: from pageable memory it is
    // synchronous.
    const at::Tensor host = at::from_blob(m_buffer.data(), spec.shape, loadedType(entry->dtype));
    at::Tensor tensor = host.to(device).to(type);
    return tensor.is_alias_of(host) ? tensor.clone() : tensor;
}

core::Error WeightSource::damaged(const std::string& key, const std::string& what) const
{
    const auto& stored = std::get<core::StoredWeights>(m_model->weights);
    const auto place = stored.places.find(key);
    const bool isThere = place != stored.places.end();
    const std::string file = stored.files.empty()
                                 ? m_model->reference
                                 : stored.files.at(isThere ? place->second.file : 0).string();
    return {ErrorCode::Format, file + ": " + (isThere ? place->second.name : key) + " " + what +
                                   ". Write or download the checkpoint again"};
}

Result<at::Tensor> WeightSource::part(const std::string& key, const core::TensorType& type)
{
    const auto& stored = std::get<core::StoredWeights>(m_model->weights);
    const auto place = stored.places.find(key);
    if (place == stored.places.end())
        return damaged(key, "is missing");
    const core::SafetensorsFile& file = m_files.at(place->second.file).value();
    const core::TensorEntry* entry = file.find(place->second.name);
    if (entry == nullptr)
        return damaged(key, "is gone: the file has changed");
    const core::StoredForm form = place->second.form;
    if (!fits(*entry, type, form))
        return damaged(key, "is " + std::string(core::toString(entry->dtype)) + " " +
                                core::shapeText({entry->shape.begin(), entry->shape.end()}) +
                                " and not " + core::toText(type) + ", as its scheme has it");
    const std::vector<std::int64_t> shape(entry->shape.begin(), entry->shape.end());
    const at::Tensor held = at::empty(shape, loadedType(entry->dtype));
    QS_RETURN_IF_ERROR(
        file.read(*entry, {static_cast<std::byte*>(held.mutable_data_ptr()), held.nbytes()}));
    return inForm(held, type, form).to(m_device);
}

}  // namespace qs::engine
