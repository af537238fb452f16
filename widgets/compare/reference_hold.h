#pragma once

#include <QWidget>

namespace qs::widgets {

// Shift, held down over an area or with the keyboard in it. Let go wherever the release goes, and
// when the window loses the keyboard, because the release then goes elsewhere.
class ReferenceHold final : public QObject
{
    Q_OBJECT

public:
    // A child of `area`.
    explicit ReferenceHold(QWidget& area);

    [[nodiscard]] bool isHeld() const { return m_held; }
    void setHeld(bool held);

Q_SIGNALS:
    void changed(bool held);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget& m_area;
    bool m_held = false;
};

}  // namespace qs::widgets
