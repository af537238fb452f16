#pragma once

#include "core/base/result.h"
#include "core/graph/exported/exported_program.h"

#include <map>
#include <string_view>

namespace qs::core::exported {

class Concretizer;

// Operations of a program that are written by others of the catalogue, or not at all: numbers that
// sizes are made of, assertions, nested graphs, Linears that were taken apart, and the many ways to
// call one thing.
using OperationForm = Status (*)(Concretizer&, const ProgramNode&);

// By target.
using FormTable = std::map<std::string_view, OperationForm>;

[[nodiscard]] const FormTable& programForms();   // sizes, assertions, nested graphs
[[nodiscard]] const FormTable& layerForms();     // products, convolutions, norms, pools, attention
[[nodiscard]] const FormTable& tensorForms();    // casts, views, factories
[[nodiscard]] const FormTable& composedForms();  // what is written as several others

}  // namespace qs::core::exported
