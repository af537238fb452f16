#pragma once

#include "core/device/description.h"

#include <map>
#include <string>

namespace qs::engine {

// What Inductor compiles with, as its interpreter tells: "python" -> "3.11.2", "torch", "triton",
// "g++". What it does not find is left out; all is, where no interpreter answers.
using CompilerVersions = std::map<std::string, std::string>;

// Asks the interpreter of pythonOfTorch(), which takes a tenth of a second and imports no PyTorch.
[[nodiscard]] CompilerVersions compilerVersions();

// What Inductor needs for that kind of device and these do not have: "Python", "g++", "triton",
// "PyTorch in /usr/bin/python3"; empty if it has all.
[[nodiscard]] std::string inductorLacks(core::DeviceKind kind, const CompilerVersions& versions);

}  // namespace qs::engine
