#pragma once

#include "core/device/description.h"
#include "core/engine/quantize/column_rounder.h"
#include "core/lower/program.h"
#include "core/measure/cell_request.h"
#include "core/model/model.h"
#include "core/quant/recipe.h"

#include <filesystem>
#include <memory>

namespace qs::engine {

// A cell as the worker runs it.
struct LoweredCell {
    std::unique_ptr<core::Model> model;
    core::Recipe recipe;
    core::DeviceDescription device;
    core::ShapePoint shape;
    core::Program program;
    ColumnRounders rounders = {};  // that its schemes ask for
};

// The part of the worker's cache for one kind of thing; empty if nothing is to be kept.
[[nodiscard]] inline std::filesystem::path cacheOf(const core::CellRequest& request,
                                                   const char* kind)
{
    return request.cacheFolder.empty() ? std::filesystem::path()
                                       : std::filesystem::path(request.cacheFolder) / kind;
}

}  // namespace qs::engine
