#pragma once

#include "core/model/workload.h"
#include "core/sweep/plan.h"
#include "core/sweep/preset.h"
#include "widgets/model/model_inspector.h"

#include <QStringList>

#include <cstddef>
#include <cstdint>
#include <string>

namespace qs::widgets {

// A model and what a sweep does to its layers.
struct LayerSource {
    std::string model;  // its reference; empty: none
    std::int64_t seed = 0;
    Inspection inspection = {};  // null while it is being read
    QStringList precisions = {};
    QStringList layers = {};  // filters
    core::ShapePoint shape = {};
    std::size_t cells = 0;  // that a run had

    [[nodiscard]] bool recognised() const
    {
        return inspection != nullptr && inspection->family != nullptr;
    }
};

// Both without an inspection. Of several models of a draft it is the first, of those of a run that
// of the cell `cellId`, or else the first.
[[nodiscard]] LayerSource layerSource(const core::Preset& draft);
[[nodiscard]] LayerSource layerSource(const core::Plan& run, const std::string& cellId);

// "256 px", those that the model has.
[[nodiscard]] QString sizesText(const LayerSource& source);

}  // namespace qs::widgets
