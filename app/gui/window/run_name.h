#pragma once

#include "widgets/models/run_store.h"

#include <QObject>
#include <QString>

namespace qs::app {

// What the run in view is called: by its user, or else by its preset. Its label is read when it
// comes into view, and when it may have changed.
class RunName final : public QObject
{
    Q_OBJECT

public:
    // `store` must outlive the object.
    explicit RunName(const widgets::RunStore& store);

    // Empty without a run.
    [[nodiscard]] const QString& text() const { return m_text; }
    void read();

Q_SIGNALS:
    // Also for another run of the same name.
    void changed();

private:
    const widgets::RunStore& m_store;
    QString m_text;
};

}  // namespace qs::app
