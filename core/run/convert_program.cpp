#include "core/run/convert_program.h"

#include "core/base/files.h"
#include "core/base/sandbox.h"
#include "core/base/temporaries.h"
#include "core/report/words/failure_text.h"
#include "core/run/worker_question.h"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

namespace qs::core {

namespace fs = std::filesystem;

namespace {

constexpr double kPatience = 600.0;  // seconds

// The one folder that the worker may write in, in the file system of what is made there. Gone with
// whatever is in it at the end of its life.
class WorkFolder final
{
public:
    explicit WorkFolder(const fs::path& path) : m_folder(path) {}
    ~WorkFolder()
    {
        std::error_code ignored;
        fs::remove_all(m_folder.path(), ignored);
    }
    WorkFolder(const WorkFolder&) = delete;
    WorkFolder& operator=(const WorkFolder&) = delete;

    [[nodiscard]] const fs::path& path() const { return m_folder.path(); }

private:
    Temporary m_folder;
};

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
    std::string name = (beside / ".quantscope-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
        return ioError("create a folder in", beside, errno);
    const WorkFolder folder(name);
    std::error_code error;
    ConversionRequest inside = request;
    inside.program = fs::absolute(request.program, error).string();
    inside.archive = fs::absolute(folder.path() / "program.pt2", error).string();
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
