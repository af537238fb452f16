#pragma once

#include <QObject>

class QSplitter;

namespace qs::app {

// Keeps the width of the left side of a splitter in its usual measure while the window grows and
// shrinks, until the user has dragged it.
class UsualSplit final : public QObject
{
    Q_OBJECT

public:
    // A child of the splitter.
    explicit UsualSplit(QSplitter& splitter);

    // The user has dragged it, or had before.
    [[nodiscard]] bool isDragged() const { return m_dragged; }
    void setDragged() { m_dragged = true; }
    // The usual measure, where both sides are seen and nobody has dragged.
    void apply();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QSplitter& m_splitter;
    bool m_dragged = false;
};

}  // namespace qs::app
