#include "app/gui/window/run_name.h"

#include "app/gui/runs/run_summary.h"

namespace qs::app {

RunName::RunName(const widgets::RunStore& store) : m_store(store)
{
    connect(&m_store, &widgets::RunStore::runReplaced, this, &RunName::read);
}

void RunName::read()
{
    m_text = m_store.isEmpty() ? QString()
                               : runName(m_store.data().folder,
                                         QString::fromStdString(m_store.data().plan.preset.name));
    Q_EMIT changed();
}

}  // namespace qs::app

#include "moc_run_name.cpp"
