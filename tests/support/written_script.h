#pragma once

#include "core/base/zip_writer.h"

#include <filesystem>

namespace qs::tests {

// A TorchScript file as far as one is read without running it: a net of a picture and a mask. False
// if it cannot be written.
[[nodiscard]] inline bool writeScript(const std::filesystem::path& path)
{
    auto writer = core::ZipWriter::create(path);
    return writer.ok() &&
           writer.value()
               .add("net/code/__torch__.py", "class Net(Module):\n"
                                             "  def forward(self: __torch__.Net,\n"
                                             "    picture: Tensor,\n"
                                             "    mask: Optional[Tensor]=None) -> Tensor:\n")
               .ok() &&
           writer.value().commit().ok();
}

}  // namespace qs::tests
