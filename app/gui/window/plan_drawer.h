#pragma once

#include <QObject>

class QSplitter;
class QWidget;

namespace qs::app {

// The plan as a drawer over the left half of the window: it takes the room of the views beside it
// and, where there is not enough for both, their place. What lies right of it never moves.
class PlanDrawer final : public QObject
{
    Q_OBJECT

public:
    // `left` holds both and is watched for its width. All must outlive the drawer.
    PlanDrawer(QWidget& plan, QWidget& views, QSplitter& left);

    [[nodiscard]] bool isOpen() const { return m_open; }
    void setOpen(bool open);

Q_SIGNALS:
    void openChanged(bool open);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fit();

    QWidget& m_plan;
    QWidget& m_views;
    QSplitter& m_left;
    bool m_open = true;
};

}  // namespace qs::app
