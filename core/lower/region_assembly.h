#pragma once

#include "core/lower/region_program.h"
#include "core/lower/region_writer.h"

#include <map>
#include <string>

namespace qs::core {

// Puts a stage together in which regions are operations of their own. The graph outlives it.
class RegionAssembly final
{
public:
    explicit RegionAssembly(const Graph& source);

    // As it is in the source.
    void keep(std::size_t node);
    // In place of what the writer has written as `program`: the operation that calls it. Equal
    // programs of equal part and mode are one. Returns its index.
    std::size_t call(const RegionWriter& writer, RegionProgram program);
    // Without operations whose recomputed values nobody reads any more.
    [[nodiscard]] RegionStage finish(const RecomputedValues& recomputed);

    // To add words, and to name programs.
    [[nodiscard]] RegionStage& stage() { return m_stage; }

private:
    const Graph& m_source;
    RegionStage m_stage;
    std::map<std::string, std::size_t> m_programs;  // by what makes them equal
};

}  // namespace qs::core
