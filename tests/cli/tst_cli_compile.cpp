// The compile modes that call a compiler, from end to end on the CPU. Compiling takes a quarter of
// a minute: what the second compile of the same programs would say does not matter but once, and
// where it does not matter what is compiled, a program that compiles nothing stands in.

#include "core/measure/distance_limit.h"
#include "tests/cli/cli_fixture.h"
#include "tests/support/ended_process.h"
#include "tests/support/stand_in_compiler.h"

#include <chrono>
#include <cstdlib>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace qs::core;
using namespace qs::tests;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// Encoder and decoder with a block each, so that each is one program.
constexpr const char* kOneBlock = "model=vitok:w64_d1_h2-w48_d1_h3/1x8x16";

// The real compiler, called for the first compile alone; lines for a StandInCompiler.
std::string compilesOnce()
{
    return std::string("export QS_COMPILING_PYTHON='" QS_TORCH_PYTHON "'; sh '") +
           dataFile("support/compile_once.sh").string() + "' \"$@\"";
}

std::vector<std::string> linesWith(const std::filesystem::path& file, const std::string& end)
{
    std::istringstream text(readFile(file));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) {
        if (line.ends_with(end))
            lines.push_back(line);
    }
    return lines;
}

class CompiledCli : public Cli
{
protected:
    CompiledCli() { ::setenv("QUANTSCOPE_CACHE", (m_folder / "cache").c_str(), 1); }
    ~CompiledCli() override { ::unsetenv("QUANTSCOPE_CACHE"); }

    // Of one precision at batch 1; the encoder is compiled, the decoder is not.
    [[nodiscard]] ProgramResult runCompiled(const std::string& precision,
                                            std::vector<std::string> more = {}) const
    {
        for (const std::string& each :
             {std::string("--set"), std::string("compile=inductor-default/none"),
              std::string("--set"), std::string(kOneBlock), std::string("--filter"),
              std::string("batch=1"), std::string("--filter"), "precision=" + precision})
            more.push_back(each);
        return run(more);
    }
    // The rows of cells that are compiled, or that are not.
    [[nodiscard]] std::vector<Measurement> rows(bool compiled) const
    {
        std::vector<Measurement> rows;
        for (const Measurement& row : stored().measurements) {
            if ((row.config.compile != "none") == compiled)
                rows.push_back(row);
        }
        return rows;
    }
    [[nodiscard]] std::vector<std::string> cachedPackages() const
    {
        std::vector<std::string> files;
        for (const auto& each : std::filesystem::directory_iterator(m_folder / "cache/packages"))
            files.push_back(each.path().filename().string());
        return files;
    }
    void expectEagerCells() const
    {
        const std::vector<Measurement> eager = rows(false);
        EXPECT_THAT(eager, Not(IsEmpty()));
        for (const Measurement& row : eager)
            EXPECT_TRUE(row.ok()) << name(row.status());
    }
};

TEST_F(CompiledCli, ACompilerThatHangsIsEndedByTheLimitOfItsPhase)
{
    const StandInCompiler compiler(m_folder.path(), "exec sleep 1000");
    const ProgramResult ran =
        runCompiled("bf16", {"--set", "measurement.phase_limit_seconds.compile=2"});
    EXPECT_EQ(ran.exitCode, 6) << ran.output << ran.errors;
    const std::vector<Measurement> compiled = rows(true);
    ASSERT_EQ(compiled.size(), 1U);
    ASSERT_TRUE(compiled.front().failure.has_value());
    EXPECT_EQ(compiled.front().failure->kind, FailureKind::NoProgress);
    EXPECT_EQ(compiled.front().failure->phase, Phase::Package);
    EXPECT_EQ(compiled.front().failure->amount, 2.0);
    const std::vector<int> processes = StandInCompiler::calls(m_folder.path());
    ASSERT_EQ(processes.size(), 1U);
    EXPECT_TRUE(goneWithin(processes.front(), std::chrono::seconds(5)));
    expectEagerCells();
}

TEST_F(CompiledCli, ACompilerThatIsKilledLeavesACleanRow)
{
    const StandInCompiler compiler(m_folder.path(), "kill -9 $$");
    const ProgramResult ran = runCompiled("bf16");
    EXPECT_EQ(ran.exitCode, 1) << ran.output << ran.errors;
    const std::vector<Measurement> compiled = rows(true);
    ASSERT_EQ(compiled.size(), 1U);
    EXPECT_EQ(compiled.front().status(), CellStatus::CompileError);
    EXPECT_EQ(compiled.front().failure->phase, Phase::Package);
    EXPECT_THAT(compiled.front().result.hostSeconds, IsEmpty());
    EXPECT_THAT(cachedPackages(), IsEmpty());
    EXPECT_EQ(StandInCompiler::questions(m_folder.path()).size(), 2U)
        << "when planning and when the run begins, not by the cell";
    expectEagerCells();
}

// It makes no package, so that the cell fails; what it has said is kept.
TEST_F(CompiledCli, TheCompilerLogsWhatTorchLogsAsksFor)
{
    const StandInCompiler compiler(m_folder.path(),
                                   "echo \"asked for $TORCH_LOGS\" > \"$9/log\"; exit 1");
    ::setenv("TORCH_LOGS", "+inductor,output_code", 1);
    const ProgramResult ran = runCompiled("bf16");
    ::unsetenv("TORCH_LOGS");
    EXPECT_EQ(ran.exitCode, 1) << ran.output << ran.errors;
    EXPECT_THAT(readFile(m_run + "/log.txt"), HasSubstr("asked for +inductor,output_code"));
}

TEST_F(CompiledCli, APythonWithoutPyTorchIsSaidBeforeTheRun)
{
    const StandInCompiler compiler(m_folder.path(), "exit 1");
    compiler.setVersions(R"({"python": "3.11.2", "g++": "12.2.0"})");
    const ProgramResult ran = runCompiled("bf16");
    EXPECT_EQ(ran.exitCode, 0) << "eager cells are there: " << ran.errors;
    const RunData data = stored();
    std::vector<Note> reasons;
    for (const PlannedCell& cell : data.plan.cells) {
        if (cell.impossible)
            reasons.push_back(*cell.impossible);
    }
    ASSERT_EQ(reasons.size(), 1U);
    EXPECT_EQ(reasons.front().code, NoteCode::CompilerLacks);
    EXPECT_EQ(reasons.front().text(0), "PyTorch in " + (m_folder / "compiler").string());
    EXPECT_THAT(rows(true), IsEmpty());
    EXPECT_THAT(StandInCompiler::calls(m_folder.path()), IsEmpty());
    ASSERT_EQ(data.environments.size(), 1U);
    EXPECT_EQ(data.environments.front().compiler.at("g++"), "12.2.0");
}

// The one test that compiles twice, as users do. What Inductor kept elsewhere is not looked at.
TEST_F(CompiledCli, AColdCompileFindsItsFoldersEmpty)
{
    const std::filesystem::path others = m_folder / "others";
    std::filesystem::create_directories(others);
    ::setenv("TORCHINDUCTOR_CACHE_DIR", others.c_str(), 1);
    ::setenv("TRITON_CACHE_DIR", others.c_str(), 1);
    const std::string list = "ls -A \"$9\" >> '" + (m_folder / "kept").string() + "'; ";
    const StandInCompiler compiler(m_folder.path(), list + "echo cold or warm >> '" +
                                                        (m_folder / "kept").string() + "'; '" +
                                                        QS_TORCH_PYTHON + "' \"$@\"");
    const ProgramResult ran = runCompiled("bf16");
    ::unsetenv("TORCHINDUCTOR_CACHE_DIR");
    ::unsetenv("TRITON_CACHE_DIR");
    ASSERT_EQ(ran.exitCode, 0) << ran.output << ran.errors;
    EXPECT_THAT(readFile(m_folder / "kept"),
                AllOf(testing::StartsWith("cold or warm\n"), HasSubstr("inductor\n")));
    EXPECT_TRUE(std::filesystem::is_empty(others));
    const std::vector<Measurement> compiled = rows(true);
    ASSERT_EQ(compiled.size(), 1U);
    const CellResult& result = compiled.front().result;
    EXPECT_TRUE(compiled.front().ok());
    EXPECT_GE(result.hostSeconds.size(), 3U);
    EXPECT_FALSE(anyMismatch(result.executed));
    ASSERT_EQ(result.compiles.size(), 1U) << "a stage is one program";
    const StageCompile& encoder = result.compiles.front();
    EXPECT_EQ(encoder.stage, "encoder");
    EXPECT_THAT(encoder.part, IsEmpty());
    EXPECT_FALSE(encoder.fromCache);
    EXPECT_GT(encoder.coldSeconds, 0.0);
    EXPECT_NE(encoder.coldSeconds, encoder.warmSeconds);
    EXPECT_LT(encoder.distanceToEager, *encoder.distanceLimit);
    ASSERT_TRUE(encoder.bf16FromFp32.has_value()) << "fp32 runs before what is compiled";
    EXPECT_EQ(*encoder.distanceLimit, distanceLimit(false, encoder.bf16FromFp32));
    expectEagerCells();
}

// The archive is another program when the compiler reads it: products are sums.
TEST_F(CompiledCli, APackageOfAnotherProgramDiffers)
{
    const std::filesystem::path script = m_folder / "edit.py";
    writeFile(script, R"(import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    entries = [(each, archive.read(each)) for each in archive.namelist()]
with zipfile.ZipFile(sys.argv[1], "w") as archive:
    for name, content in entries:
        if name.endswith("model.json"):
            content = content.replace(b"aten.mul.Tensor", b"aten.add.Tensor")
        archive.writestr(name, content)
)");
    const StandInCompiler compiler(m_folder.path(), "'" QS_TORCH_PYTHON "' '" + script.string() +
                                                        "' \"$4\" || exit; " + compilesOnce());
    const ProgramResult ran = runCompiled("bf16");
    EXPECT_EQ(ran.exitCode, 1) << ran.output << ran.errors;
    const std::vector<Measurement> compiled = rows(true);
    ASSERT_EQ(compiled.size(), 1U);
    EXPECT_EQ(compiled.front().status(), CellStatus::Differs) << ran.output;
    EXPECT_THAT(compiled.front().result.hostSeconds, IsEmpty()) << "it has no time";
    expectEagerCells();
}

// One layer of the encoder multiplies in bf16, as the calls of its package say.
TEST_F(CompiledCli, ALayerThatIsLeftInBf16IsAMismatch)
{
    const std::filesystem::path script = m_folder / "edit.py";
    writeFile(script, R"(import json, sys
with open(sys.argv[1]) as file:
    report = json.load(file)
of = next(each for each in report["products"] if each["operation"] == "aten::_int_mm")
of["count"] -= 1
left = next(each for each in of["operands"] if each.endswith("ffn.fc1.weight:codes"))
of["operands"] = [each for each in of["operands"] if each.split(":")[0] != left.split(":")[0]]
report["products"].append({"operation": "aten::linear", "type": "bfloat16", "count": 1, "operands": [left]})
with open(sys.argv[1], "w") as file:
    json.dump(report, file)
)");
    const StandInCompiler compiler(m_folder.path(), "(" + compilesOnce() +
                                                        ") || exit; '" QS_TORCH_PYTHON "' '" +
                                                        script.string() + "' \"$8\"");
    const ProgramResult ran = runCompiled("int8dq");
    EXPECT_EQ(ran.exitCode, 1) << ran.output << ran.errors;
    const std::vector<Measurement> compiled = rows(true);
    ASSERT_EQ(compiled.size(), 1U);
    EXPECT_TRUE(compiled.front().ok());
    for (const ExecutedProduct& product : productsOf(compiled.front().result.executed)) {
        if (product.operation == "aten::_int_mm") {
            EXPECT_EQ(product.ran, *product.expected - 1);
        }
    }
    EXPECT_TRUE(anyMismatch(compiled.front().result.executed));
    const std::vector<StrayLayers>& strays = compiled.front().result.executed.front().strays;
    ASSERT_EQ(strays.size(), 1U);
    EXPECT_EQ(strays[0].module, "encoder_blocks.0.ffn.fc1");
    EXPECT_EQ(strays[0].operation, "aten::linear");
    EXPECT_EQ(strays[0].type, DType::BFloat16);
    EXPECT_EQ(runCli({"report", m_run, "--out", m_folder / "report"}).exitCode, 0);
    EXPECT_THAT(linesWith(m_folder / "report/layers.csv", ",bfloat16,1,,\r"),
                ElementsAre(HasSubstr("encoder_blocks.0.ffn.fc1")));
    EXPECT_TRUE(std::filesystem::exists(m_folder / "report/kernels.csv"));
    expectEagerCells();
}

// The numerical check of the document, with columns that the real compiler made.
TEST_F(CompiledCli, GptqWithCompiledColumnsAnswersAsTheStraightOne)
{
    const StandInCompiler compiler(m_folder.path(), compilesOnce());
    const ProgramResult ran = runCli(
        {"run", dataFile("../presets/gptq_compile/numerical_check.json").string(), "--out", m_run,
         "--set", "new_tokens=5", "--set", "measurement.warmup_samples=0", "--set",
         "measurement.minimum_samples=1", "--set", "measurement.maximum_samples=1", "--set",
         "isolation=model", "--set",
         "precision=gptq-int4-128:by=straight:samples=4,gptq-int4-128:by=compiled:samples=4"});
    ASSERT_EQ(ran.exitCode, 0) << ran.output << ran.errors;
    int compiled = 0;
    for (const Measurement& row : stored().measurements)
        compiled += row.result.compiles.empty() ? 0 : 1;
    EXPECT_EQ(compiled, 1);
    const std::string files = m_folder / "files";
    ASSERT_EQ(runCli({"report", m_run, "--profile", "gptq-benchmark", "--out", files}).exitCode, 0);
    const Json check =
        readJsonFile(files + "/artifacts/demo-text_gptq-int4-128_samples_4/numerical_check.json")
            .value();
    EXPECT_LT(check.at("logit_max_diff").get<double>(), 1.0);
    EXPECT_EQ(check.at("token_match_rate"), 1.0);
    EXPECT_EQ(check.at("all_outputs_identical"), true);
}

// Two kinds of regions, and then the best of them together.
TEST_F(CompiledCli, RegionsAreSearchedAndTheCacheIsShown)
{
    const StandInCompiler compiler(m_folder.path(), compilesOnce());
    const ProgramResult ran =
        run({"--set", "compile=none,regions:rope,regions:norm", "--set",
             "model=vitok:w64_d1_h2/1x8x16", "--filter", "batch=1", "--filter", "precision=bf16"});
    ASSERT_EQ(ran.exitCode, 0) << ran.output << ran.errors;
    ASSERT_EQ(rows(true).size(), 2U);
    const std::size_t calls = StandInCompiler::calls(m_folder.path()).size();
    const ProgramResult found = runCli({"regions", m_run});
    EXPECT_EQ(found.exitCode, 0) << found.output << found.errors;
    EXPECT_THAT(found.output,
                AllOf(HasSubstr("\ncompile="), HasSubstr("(4 of 4 choices measured)")));
    std::set<std::string> modes;
    for (const Measurement& row : rows(true)) {
        modes.insert(row.config.compile);
        EXPECT_TRUE(row.ok()) << row.config.compile;
    }
    EXPECT_EQ(modes, (std::set<std::string>{"regions:norm", "regions:rope", "regions:rope+norm"}));
    EXPECT_EQ(StandInCompiler::calls(m_folder.path()).size(), calls)
        << "both together find what each has made";
    EXPECT_EQ(runCli({"regions", m_folder.path()}).exitCode, 2) << "not a run folder";
    EXPECT_EQ(runCli({"regions", m_run, "--objective", "beauty"}).exitCode, 2);
    const ProgramResult least = runCli({"regions", m_run, "--objective", "memory"});
    EXPECT_EQ(least.exitCode, 0) << least.output << least.errors;
    EXPECT_THAT(least.output, AllOf(HasSubstr("iB"), HasSubstr("\ncompile=")));
    const ProgramResult soonest = runCli({"regions", m_run, "--objective", "break-even"});
    EXPECT_THAT(soonest.output, testing::AnyOf(HasSubstr("passes"), HasSubstr("never pays off")));

    const std::size_t files = cachedPackages().size();
    ASSERT_GE(files, 4U) << "of each kind a package and its record";
    const ProgramResult listed = runCli({"cache", "list"});
    EXPECT_EQ(listed.exitCode, 0) << listed.errors;
    EXPECT_THAT(listed.output,
                AllOf(HasSubstr("packages"), HasSubstr(std::to_string(files) + " files"),
                      HasSubstr((m_folder / "cache/packages").string())));
    EXPECT_EQ(runCli({"cache", "clear", "calibration"}).exitCode, 0);
    EXPECT_EQ(cachedPackages().size(), files) << "of another kind";
    EXPECT_EQ(runCli({"cache", "clear", "thoughts"}).exitCode, 2);
    EXPECT_EQ(runCli({"cache", "clear", "packages"}).exitCode, 0);
    EXPECT_THAT(cachedPackages(), IsEmpty());
    EXPECT_EQ(runCli({"cache", "clear"}).exitCode, 0);
    EXPECT_EQ(runCli({"cache"}).exitCode, 2);
}

}  // namespace
