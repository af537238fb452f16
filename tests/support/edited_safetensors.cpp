#include "tests/support/edited_safetensors.h"

#include "core/base/checks.h"
#include "tests/support/safetensors_writer.h"

namespace qs::tests {

EditedSafetensors EditedSafetensors::read(const std::filesystem::path& path)
{
    const auto file = core::openSafetensors(path);
    QS_ASSERT(file.ok());
    EditedSafetensors edited;
    edited.metadata = file.value().metadata();
    for (const core::TensorEntry& entry : file.value().tensors()) {
        EditedTensor& tensor = edited.tensors[entry.name];
        tensor = {entry.dtype, entry.shape, std::vector<std::byte>(entry.bytes())};
        QS_ASSERT(file.value().read(entry, tensor.bytes).ok());
    }
    return edited;
}

void EditedSafetensors::write(const std::filesystem::path& path) const
{
    std::vector<TensorToWrite> all;
    for (const auto& [name, tensor] : tensors)
        all.push_back({name, tensor.type, tensor.shape, tensor.bytes});
    QS_ASSERT(writeSafetensors(path, all, metadata).ok());
}

void EditedSafetensors::add(const std::string& name, core::StoredType type,
                            std::vector<std::uint64_t> shape)
{
    std::uint64_t bits = core::bitsOf(type);
    for (const std::uint64_t extent : shape)
        bits *= extent;
    tensors[name] = {type, std::move(shape), std::vector<std::byte>(bits / 8)};
}

}  // namespace qs::tests
