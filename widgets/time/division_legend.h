#pragma once

#include <QWidget>

namespace qs::widgets {

// The colours of the kinds of work with their names.
class DivisionLegend final : public QWidget
{
    Q_OBJECT

public:
    explicit DivisionLegend(QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    void colour();
};

}  // namespace qs::widgets
