#include "app/cli/commands.h"
#include "app/cli/exit_codes.h"
#include "app/cli/terminal_text.h"
#include "app/cli/trust_question.h"
#include "core/base/clean_text.h"
#include "core/base/format.h"
#include "core/base/sandbox.h"
#include "core/base/sha256.h"
#include "core/model/llama/checkpoint.h"
#include "core/model/program_file.h"
#include "core/model/te_llama/fused_import.h"
#include "core/report/words/program_text.h"
#include "core/run/convert_program.h"
#include "core/run/program_paths.h"
#include "core/run/program_trust.h"

#include <filesystem>
#include <system_error>

namespace qs::app {

namespace fs = std::filesystem;

namespace {

core::Result<std::vector<core::DeclaredInput>> declaredInputs(const ConvertCommand& command,
                                                              const core::ProgramSummary& program)
{
    if (command.inputs.empty()) {
        std::string text = "say what each input looks like, in the order of forward(): --input "
                           "x=float32[batch,3,224,224]";
        for (const std::string& input : program.inputs)
            text += "\n  " + input;
        return core::Error{core::ErrorCode::InvalidArgument, text};
    }
    std::vector<core::DeclaredInput> inputs;
    for (const std::string& text : command.inputs) {
        QS_TRY(core::DeclaredInput input, core::parseDeclaredInput(text));
        inputs.push_back(std::move(input));
    }
    return inputs;
}

// Asks on a terminal; without one, or if the answer is no, the error says how to go on.
core::Status agree(const ConvertCommand& command, const core::ProgramSummary& program,
                   const std::string& hash, const core::ProgramTrust& trust)
{
    if (command.trust == hash || (command.trust.empty() && trust.trusts(hash)))
        return {};
    const std::string text = core::cleanLine(command.program) + " is " +
                             core::kindText(program.kind) + ": " + program.text + "\nSHA-256 " +
                             hash + "\n" +
                             core::runningMeansText(program.kind, core::sandboxLimits());
    if (!command.trust.empty())
        return core::Error{core::ErrorCode::InvalidArgument,
                           "--trust names another file: the SHA-256 of " +
                               core::cleanLine(command.program) + " is " + hash};
    return askForTrust({text, "Trust and run it? [y/N] ", "To run it, add --trust " + hash,
                        "not trusted; nothing was run"});
}

// What is known of a package is looked for beside it.
core::Result<std::string> archiveFor(const ConvertCommand& command, core::ProgramKind kind)
{
    if (kind == core::ProgramKind::Package && !command.out.empty())
        return core::Error{core::ErrorCode::InvalidArgument,
                           "--out is for TorchScript programs: what is found out of a package is "
                           "written beside it, " +
                               core::madeOf(command.program, kind).string()};
    return command.out.empty() ? core::madeOf(command.program, kind).string() : command.out;
}

// Data becomes data: nothing of it runs.
int fuseLlama(const ConvertCommand& command)
{
    if (command.out.empty())
        return fail({core::ErrorCode::InvalidArgument,
                     "say which folder the model with fused products goes to: --out FOLDER"});
    const auto imported = core::te_llama::importLlama(command.program, command.out);
    if (!imported.ok())
        return fail(imported.error());
    sayLine(command.out);
    say("{}, {}: q, k and v are one product, gate and up another\n", imported.value().variant,
        core::formatBytes(static_cast<double>(imported.value().fileBytes)));
    return kExitOk;
}

}  // namespace

int convertCommand(const ConvertCommand& command)
{
    if (core::llama::isCheckpoint(command.program))
        return fuseLlama(command);
    const core::ProgramPaths paths = core::locatePrograms();
    const core::ProgramTrust trust(paths.programTrustFile);
    const auto program = core::programSummary(command.program);
    if (!program)
        return fail({core::ErrorCode::Format,
                     command.program + " is no TorchScript program (torch.jit.save) and no package "
                                       "of AOTInductor that could be run here"});
    const auto hash = core::sha256File(command.program);
    if (!hash.ok())
        return fail(hash.error());
    auto inputs = declaredInputs(command, *program);
    if (!inputs.ok())
        return fail(inputs.error());
    const auto archive = archiveFor(command, program->kind);
    if (!archive.ok())
        return fail(archive.error());
    std::error_code error;
    if (fs::exists(archive.value(), error) && !command.replace)
        return fail(
            {core::ErrorCode::InvalidArgument,
             archive.value() +
                 (program->kind == core::ProgramKind::Package
                      ? " already exists: add --replace to try the package again"
                      : " already exists: choose another name with --out, or add --replace")});
    if (const core::Status agreed = agree(command, *program, hash.value(), trust); !agreed.ok())
        return fail(agreed.error());
    if (command.remember) {
        const core::Status remembered =
            trust.remember({hash.value(), fs::path(command.program).filename().string()});
        if (!remembered.ok())
            complainLine(remembered.error().message);
    }
    const auto result = core::convertProgram(
        {command.program, hash.value(), std::move(inputs.value()), archive.value()}, paths.worker);
    if (!result.ok())
        return fail(result.error());
    sayLine(archive.value());
    for (const std::string& text : core::conversionTexts(result.value()))
        sayLine(text);
    return kExitOk;
}

int trustCommand(const TrustCommand& command)
{
    const core::ProgramTrust trust(core::locatePrograms().programTrustFile);
    if (command.forget.empty()) {
        for (const core::TrustedProgram& program : trust.all())
            say("{}  {}\n", program.sha256, core::cleanLine(program.name));
        return kExitOk;
    }
    if (!trust.trusts(command.forget))
        return fail(
            {core::ErrorCode::NotFound,
             "no program with the SHA-256 " + core::cleanLine(command.forget) + " is trusted"});
    const core::Status forgotten = trust.forget(command.forget);
    return forgotten.ok() ? kExitOk : fail(forgotten.error());
}

}  // namespace qs::app
