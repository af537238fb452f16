#pragma once

#include <QObject>

class QSplitter;

namespace qs::app {

// Keeps the sides of a splitter in their usual measure while the window grows and shrinks, until
// the user has dragged it.
class UsualSplit final : public QObject
{
    Q_OBJECT

public:
    // A child of the splitter.
    explicit UsualSplit(QSplitter& splitter);

    // The user has dragged it, or had before.
    [[nodiscard]] bool isDragged() const { return m_dragged; }
    void setDragged() { m_dragged = true; }
    // The right side needs no more than a table of figures, and leaves the rest to the left.
    void setNarrowRight(bool narrow);
    // The usual measure, where both sides are seen and nobody has dragged.
    void apply();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QSplitter& m_splitter;
    bool m_dragged = false;
    bool m_narrowRight = false;
};

}  // namespace qs::app
