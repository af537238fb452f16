#include "widgets/references/run_references.h"

#include <filesystem>

namespace qs::widgets {

RunReferences::RunReferences(const RunStore& store, QObject* parent)
    : QObject(parent), m_store(store)
{
    connect(&store, &RunStore::runReplaced, this, [this] {
        m_all.clear();
        m_problem.clear();
        Q_EMIT changed();
        read({});
    });
    read({});
}

void RunReferences::attach(const QString& file)
{
    read(file);
}

void RunReferences::read(const QString& attached)
{
    const std::filesystem::path folder = m_store.data().folder;
    if (folder.empty())
        return m_task.drop();
    m_task.start(
        this,
        [folder, file = attached.toStdString()](const auto& /*wanted*/) {
            Read read;
            if (!file.empty()) {
                const auto place = core::attachReference(folder, file);
                read.problem = place.ok() ? std::string() : place.error().message;
            }
            read.references = core::referencesOf(folder);
            return read;
        },
        [this](const Read& read) {
            m_all = read.references;
            m_problem = QString::fromStdString(read.problem);
            Q_EMIT changed();
        });
}

}  // namespace qs::widgets

#include "moc_run_references.cpp"
