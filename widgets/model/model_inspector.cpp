#include "widgets/model/model_inspector.h"

#include "core/quant/checked_model.h"
#include "widgets/background/in_background.h"

#include <exception>
#include <utility>

namespace qs::widgets {

namespace {

// Nothing may be thrown out of a thread of the pool.
Inspection inspectionOf(const std::string& reference, const std::filesystem::path& resourceFolder,
                        std::int64_t seed)
{
    try {
        return std::make_shared<core::ModelInspection>(
            core::inspectCheckedModel(reference, resourceFolder, seed));
    } catch (const std::exception& failure) {
        core::ModelInspection failed;
        failed.reference = reference;
        failed.displayName = reference;
        failed.status = core::Error{core::ErrorCode::Internal,
                                    reference + ": cannot be read: " + failure.what()};
        return std::make_shared<core::ModelInspection>(std::move(failed));
    }
}

}  // namespace

ModelInspector::ModelInspector(std::filesystem::path resourceFolder, QObject* parent)
    : QObject(parent), m_resourceFolder(std::move(resourceFolder))
{
}

void ModelInspector::inspect(const QString& reference, std::int64_t seed)
{
    m_busy = true;
    inBackground(
        this,
        [reference = reference.toStdString(), folder = m_resourceFolder, seed] {
            return inspectionOf(reference, folder, seed);
        },
        [this, job = ++m_job](const Inspection& inspection) {
            if (job != m_job)
                return;
            m_busy = false;
            Q_EMIT inspected(inspection);
        });
}

}  // namespace qs::widgets

#include "moc_model_inspector.cpp"
