#pragma once

#include "widgets/models/run_store.h"

#include <QWidget>

namespace qs::widgets {
class ElidedParagraph;
}

namespace qs::app {

// What readers of the results must know of the whole run, such as that the machine was not quiet.
// Takes no place when there is nothing.
class RunWarnings final : public QWidget
{
    Q_OBJECT

public:
    // `store` must outlive the widget.
    explicit RunWarnings(widgets::RunStore& store, QWidget* parent = nullptr);

private:
    void update();

    widgets::RunStore& m_store;
    widgets::ElidedParagraph* m_text;
};

}  // namespace qs::app
