#include "core/run/convert_program.h"

#include "core/base/files.h"
#include "core/base/sandbox.h"
#include "core/base/temporary_folder.h"
#include "core/report/words/failure_text.h"
#include "core/run/worker_question.h"

#include <string>
#include <system_error>

namespace qs::core {

namespace fs = std::filesystem;

namespace {

constexpr double kPatience = 600.0;  // seconds

bool isAnswer(const Message& message)
{
    return std::holds_alternative<ProgramConverted>(message) ||
           std::holds_alternative<CellFailed>(message);
}

}  // namespace

Result<ConversionResult> convertProgram(const ConversionRequest& request,
                                        const fs::path& workerProgram, const std::stop_token& stop)
{
    const fs::path archive(request.archive);
    const fs::path beside = archive.has_parent_path() ? archive.parent_path() : fs::path(".");
    // The one folder that the worker may write in.
    QS_TRY(const TemporaryFolder folder, TemporaryFolder::createIn(beside, ".quantscope-"));
    std::error_code error;
    ConversionRequest inside = request;
    inside.program = fs::absolute(request.program, error).string();
    inside.archive = fs::absolute(folder.path() / "made", error).string();
    QS_TRY(const Message answer,
           askWorker({workerProgram,
                      {std::string(kShutOffOption), fs::absolute(folder.path(), error).string()},
                      ConvertProgram{toJson(inside)},
                      kPatience,
                      stop},
                     isAnswer));
    if (const auto* failed = std::get_if<CellFailed>(&answer))
        return Error{ErrorCode::Unsupported, failureText(failed->failure)};
    QS_TRY(ConversionResult result,
           conversionResultFromJson(std::get<ProgramConverted>(answer).result));
    fs::rename(inside.archive, archive, error);
    if (error)
        return ioError("write", archive, error.value());
    return result;
}

}  // namespace qs::core
