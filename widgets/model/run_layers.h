#pragma once

#include "widgets/model/layer_source.h"
#include "widgets/model/model_inspector.h"
#include "widgets/models/run_store.h"

#include <QObject>

#include <filesystem>

namespace qs::widgets {

// The model of the run in view, by its reference. It is read when somebody looks: a checkpoint may
// be large, and far away. GUI thread.
class RunLayers final : public QObject
{
    Q_OBJECT

public:
    // `store` must outlive it. `resources`: where models are found by name.
    RunLayers(const RunStore& store, std::filesystem::path resources, QObject* parent);

    [[nodiscard]] const LayerSource& source() const { return m_source; }
    [[nodiscard]] bool isReading() const { return m_inspector.isBusy(); }
    // The run or the cell that is looked at may be another one. What is known of the model of the
    // draft serves where it is the same.
    void follow(const LayerSource& draft);
    // Unless it was read already.
    void read();

Q_SIGNALS:
    void modelRead();

private:
    const RunStore& m_store;
    ModelInspector m_inspector;
    LayerSource m_source;
    LayerSource m_asked;  // what the inspector was asked for last
};

}  // namespace qs::widgets
