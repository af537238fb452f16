#include "core/report/words/program_text.h"

#include "core/base/format.h"
#include "core/base/text_parts.h"

#include <fmt/format.h>

namespace qs::core {

std::string kindText(ProgramKind kind)
{
    switch (kind) {
    case ProgramKind::TorchScript:
        return "a TorchScript program";
    case ProgramKind::Package:
        return "a compiled program (AOTInductor)";
    }
    return {};
}

std::string runningMeansText(ProgramKind kind, const SandboxLimits& limits)
{
    std::string text =
        kind == ProgramKind::TorchScript
            ? "A TorchScript file is a program: converting it runs it once, as you. "
            : "A package is a compiled program, which nobody here can look into: it is tried once, "
              "and each measurement runs it, as you. ";
    if (limits.files && limits.network)
        text += "It runs in a process of its own that can write in one folder only, has no network "
                "and starts no programs. ";
    else if (limits.files)
        text += "It runs in a process of its own that can write in one folder only. This system "
                "cannot keep it from the network. ";
    else if (limits.network)
        text += "It runs in a process of its own without network that starts no programs. This "
                "system cannot keep it from writing to your files. ";
    else
        text += "This system cannot keep it from your files or the network. ";
    return text + "It can read what you can read. Trust it only if you know where it comes from.";
}

namespace {

std::string heldText(const ConversionResult& result)
{
    if (result.filesShut && result.networkShut)
        return "While it ran it could write in one temporary folder only and had no network.";
    if (result.filesShut)
        return "While it ran it could write in one temporary folder only, but use the network.";
    if (result.networkShut)
        return "While it ran it had no network, but could write to your files.";
    return "While it ran it could write to your files and use the network.";
}

std::vector<std::string> trialTexts(const ConversionResult& result)
{
    std::vector<std::string> texts;
    for (const std::string& output : result.outputs)
        texts.push_back("gives " + output);
    if (!result.fixedBatch.empty())
        texts.push_back("The batch is fixed: " + result.fixedBatch);
    else if (result.lowestBatch > 1)
        texts.push_back("It takes a batch of " + std::to_string(result.lowestBatch) +
                        " and more, but not of 1.");
    texts.push_back(heldText(result));
    return texts;
}

}  // namespace

std::vector<std::string> conversionTexts(const ConversionResult& result)
{
    if (!result.outputs.empty())
        return trialTexts(result);
    std::vector<std::string> texts{
        counted(static_cast<std::uint64_t>(result.operations), "operation") + ", " +
        fmt::format("{:.1f} M parameters", static_cast<double>(result.parameters) * 1e-6)};
    texts.push_back(
        result.relativeDifference == 0.0
            ? "Outputs equal those of the program."
            : fmt::format("Outputs differ from those of the program by {:.1e} (relative "
                          "L2).",
                          result.relativeDifference));
    if (!result.fixedBatch.empty())
        texts.push_back("The batch is fixed at 1: " + result.fixedBatch);
    texts.push_back(heldText(result));
    return texts;
}

}  // namespace qs::core
