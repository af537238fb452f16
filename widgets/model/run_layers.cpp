#include "widgets/model/run_layers.h"

#include <utility>

namespace qs::widgets {

namespace {

bool isSameModel(const LayerSource& a, const LayerSource& b)
{
    return a.model == b.model && a.seed == b.seed;
}

}  // namespace

RunLayers::RunLayers(const RunStore& store, std::filesystem::path resources, QObject* parent)
    : QObject(parent), m_store(store), m_inspector(std::move(resources))
{
    connect(&m_inspector, &ModelInspector::inspected, this, [this](const Inspection& inspection) {
        if (inspection->reference != m_source.model)
            return;
        m_source.inspection = inspection;
        Q_EMIT modelRead();
    });
}

void RunLayers::follow(const LayerSource& draft)
{
    LayerSource source = layerSource(m_store.data().plan, m_store.selectedCell().toStdString());
    if (isSameModel(source, m_source))
        source.inspection = m_source.inspection;
    // The draft may have got another name a moment before that model is read.
    if (source.inspection == nullptr && isSameModel(source, draft) && draft.inspection != nullptr &&
        draft.inspection->reference == source.model)
        source.inspection = draft.inspection;
    m_source = std::move(source);
}

void RunLayers::read()
{
    const bool asked = m_inspector.isBusy() && isSameModel(m_source, m_asked);
    if (asked || m_source.inspection != nullptr || m_source.model.empty())
        return;
    m_asked = {.model = m_source.model, .seed = m_source.seed};
    m_inspector.inspect(QString::fromStdString(m_source.model), m_source.seed);
}

}  // namespace qs::widgets

#include "moc_run_layers.cpp"
