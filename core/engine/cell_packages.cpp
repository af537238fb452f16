#include "core/engine/cell_packages.h"

#include "core/engine/phase_timer.h"
#include "core/engine/quantize/compiled_columns.h"
#include "core/engine/quantize/row_columns.h"
#include "core/lower/reference.h"
#include "core/lower/region_stage.h"

#include <algorithm>
#include <array>
#include <utility>

namespace qs::engine {

namespace {

constexpr const char* kByCompiled = "compiled";
constexpr const char* kByKernel = "kernel";

// A program of one of the stages.
struct Wanted {
    std::size_t stage;
    core::PackageProgram program;
};

// What a package for every batch is made from. The first one is the example that kernels are chosen
// for; one sample alone may take another path.
constexpr std::array<std::int64_t, 4> kBatches{16, 3, 5, 1};

bool hasFreeBatch(const core::StageProgram& stage)
{
    return core::hasFreeBatch(stage.compile);
}

// By stage; empty for those that are compiled for the batch of the cell.
core::Result<std::vector<std::vector<core::BatchGraph>>> batchGraphs(const LoweredCell& cell)
{
    const auto& stages = cell.program.stages;
    std::vector<std::vector<core::BatchGraph>> graphs(stages.size());
    if (std::none_of(stages.begin(), stages.end(), hasFreeBatch))
        return graphs;
    for (const std::int64_t batch : kBatches) {
        core::ShapePoint shape = cell.shape;
        shape.batch = batch;
        QS_TRY(const core::Program program,
               core::lower(*cell.model->family, {cell.recipe, shape, {}}));
        for (std::size_t i = 0; i < stages.size(); ++i) {
            if (!hasFreeBatch(stages[i]))
                continue;
            QS_TRY(core::ReferenceStage reference,
                   core::referenceStage(program.stages[i], cell.device));
            graphs[i].push_back({batch, std::move(reference.graph)});
        }
    }
    return graphs;
}

core::Result<std::vector<Wanted>> wantedPrograms(const LoweredCell& cell)
{
    std::vector<Wanted> wanted;
    for (std::size_t i = 0; i < cell.program.stages.size(); ++i) {
        QS_TRY(auto programs, core::packagePrograms(cell.program.stages[i], cell.device));
        for (core::PackageProgram& program : programs)
            wanted.push_back({i, std::move(program)});
    }
    return wanted;
}

// Asked again here, of the bytes themselves: whoever sent the request may be mistaken.
core::Result<StagePackage> unpackProgram(const core::PackagedProgram& program,
                                         const core::CellRequest& request)
{
    if (request.trustedProgram != program.sha256)
        return core::Error{core::ErrorCode::Unsupported,
                           program.file.string() + " is a compiled program that is not trusted"};
    StagePackage package;
    QS_TRY(package.unpacked, core::packaged::unpackPackage(program.file, request.trustedProgram,
                                                           request.privateFolder));
    package.file = package.unpacked->library;
    return package;
}

// Whether a scheme that is solved column by column says how.
bool isAskedFor(const core::Recipe& recipe, const char* by)
{
    return std::any_of(recipe.begin(), recipe.end(), [by](const auto& stage) {
        return !stage.scheme->solver.empty() && stage.scheme.word("by") == by;
    });
}

core::Result<CompiledColumns> compiledColumns(const LoweredCell& cell, c10::Device device,
                                              PackageCompiler& compiler, CellObserver& observer,
                                              core::CellResult& result)
{
    QS_TRY(const std::vector<core::BatchGraph> graphs, CompiledColumns::graphs());
    const std::string mode = "default";
    QS_TRY(std::vector<StagePackage> packages,
           compiler.provide({{graphs.front().graph, mode, cell.device, graphs}}, observer));
    StagePackage& package = packages.front();
    package.compile.stage = "gptq";
    package.compile.part = "columns";
    result.compiles.push_back(package.compile);
    return CompiledColumns::load(package.file, device);
}

}  // namespace

core::Result<std::vector<StagePackages>>
providePackages(const LoweredCell& cell, const core::CellRequest& request,
                PackageCompiler& compiler, CellObserver& observer, core::CellResult& result)
{
    std::vector<StagePackages> packages(cell.program.stages.size());
    if (const auto& program = cell.model->family->stages().front().program) {
        const PhaseTimer timer(core::Phase::Load, result, observer);
        QS_TRY(StagePackage unpacked, unpackProgram(*program, request));
        packages.front().push_back(std::move(unpacked));
        return packages;
    }
    if (!core::anyPackaged(cell.program))
        return packages;
    const PhaseTimer timer(core::Phase::Package, result, observer);
    QS_TRY(const std::vector<Wanted> wanted, wantedPrograms(cell));
    QS_TRY(const auto batches, batchGraphs(cell));
    std::vector<PackageRequest> requests;
    for (const Wanted& each : wanted)
        requests.push_back(
            {each.program.graph, each.program.packageMode, cell.device, batches[each.stage]});
    QS_TRY(std::vector<StagePackage> provided, compiler.provide(requests, observer));
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const auto& [stage, program] = wanted[i];
        provided[i].compile.stage = cell.program.stages[stage].name;
        provided[i].compile.part = program.part;
        provided[i].compile.calls = program.calls;
        result.compiles.push_back(provided[i].compile);
        for (core::ExecutedProduct& product : result.compiles.back().products)
            product.operands.clear();  // of the worker alone
        packages[stage].push_back(std::move(provided[i]));
    }
    return packages;
}

core::Result<ColumnRounders> provideRounders(const LoweredCell& cell, const Backend& backend,
                                             PackageCompiler& compiler, CellObserver& observer,
                                             core::CellResult& result)
{
    ColumnRounders rounders;
    if (isAskedFor(cell.recipe, kByCompiled)) {
        const PhaseTimer timer(core::Phase::Package, result, observer);
        QS_TRY(CompiledColumns columns,
               compiledColumns(cell, backend.device(), compiler, observer, result));
        rounders.emplace(kByCompiled, std::make_shared<CompiledColumns>(std::move(columns)));
    }
    if (isAskedFor(cell.recipe, kByKernel)) {
        QS_TRY(auto rows, RowColumns::build(cell.device, backend));
        rounders.emplace(kByKernel, std::move(rows));
    }
    return rounders;
}

}  // namespace qs::engine
