#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace qs::core {

using ParameterValue = std::variant<std::int64_t, double, std::string>;

// One thing that can be chosen of a scheme or a compile mode.
struct Parameter {
    std::string name;  // "group"
    std::string description;
    ParameterValue fallback;  // what it is when the text does not say; its type is the parameter's
    // What it may be; empty: any number in the range below.
    std::vector<ParameterValue> choices = {};
    double lowest = 0.0;
    double highest = 0.0;
    // It stands behind the name, "int4wo-128"; otherwise behind a colon, ":order=group". At most
    // one.
    bool inName = false;
    // Some of the choices, which are words: "rope+norm", in the order of the choices.
    bool several = false;
    // It stands behind a colon without its name, "regions:rope+norm". At most one.
    bool unnamed = false;
    // Text of a form of its own: the one way to write it, or what is wrong with it.
    Result<std::string> (*normal)(std::string_view text) = nullptr;
    // Where this is given, the unnamed one is nothing unless it is given as well.
    bool insteadOfUnnamed = false;
};

// Values in the order of the parameters.
using ParameterValues = std::vector<ParameterValue>;

[[nodiscard]] ParameterValues fallbacks(const std::vector<Parameter>& parameters);

// "gptq-int4-128:order=group:damp=0.05": values that are the fallback are left out, but for those
// that stand without their parameter's name, which are left out where they are nothing. Numbers in
// their shortest form, so that equal values give equal texts.
[[nodiscard]] std::string formatParameters(std::string_view name,
                                           const std::vector<Parameter>& parameters,
                                           const ParameterValues& values);

// Whether the text begins with this name: the part before its first colon is the name itself, or
// the name with a value behind it.
[[nodiscard]] bool hasName(std::string_view text, std::string_view name,
                           const std::vector<Parameter>& parameters);

// The values of a text that hasName(); parameters may come in any order. The error names what is
// allowed.
[[nodiscard]] Result<ParameterValues> parseParameters(std::string_view text, std::string_view name,
                                                      const std::vector<Parameter>& parameters);

}  // namespace qs::core
