#pragma once

#include <QComboBox>

namespace qs::widgets {

// A list whose closed box is narrower than its texts: what does not fit is elided, where Qt would
// cut a letter in two.
class ElidedComboBox final : public QComboBox
{
    Q_OBJECT

public:
    using QComboBox::QComboBox;

    // What the closed box shows.
    [[nodiscard]] QString shownText() const;

protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace qs::widgets
