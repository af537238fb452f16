#pragma once

#include "core/base/json.h"
#include "core/sweep/preset.h"

#include <string>
#include <vector>

namespace qs::core {

// The JSON forms of what spans the cells of a preset. Each complains with the JSON path and leaves
// out what is wrong.

// Values of one axis: a list, or for whole numbers also one number or a range text. `path` is that
// of `json`.
[[nodiscard]] std::vector<std::string> axisValuesFromJson(const std::string& name, const Json& json,
                                                          const std::string& path,
                                                          std::vector<JsonIssue>& issues);
// In the order of axisNames(): JSON objects have none of their own.
[[nodiscard]] std::vector<Axis> axesFromJson(const Json& json, const std::string& path,
                                             std::vector<JsonIssue>& issues);
[[nodiscard]] std::vector<LinkedAxes> linkedFromJson(const Json& json, const std::string& path,
                                                     std::vector<JsonIssue>& issues);
[[nodiscard]] std::vector<Exclusion> exclusionsFromJson(const Json& json, const std::string& path,
                                                        std::vector<JsonIssue>& issues);

[[nodiscard]] Json axisValuesToJson(const std::string& name,
                                    const std::vector<std::string>& values);

// Linked axes must exist, be linked once, and have equally many values.
void checkLinks(const Preset& preset, std::vector<JsonIssue>& issues);
// Everything that expansion relies on, for presets that did not come from a file.
void checkAxes(const Preset& preset, std::vector<JsonIssue>& issues);

[[nodiscard]] const Axis* findAxis(const Preset& preset, const std::string& name);

}  // namespace qs::core
