#pragma once

#include "widgets/compare/token_text.h"

#include <QTextEdit>

namespace qs::widgets {

// The texts of reference and cells one below the other, to be read and copied; where one leaves the
// reference is marked by a colour and a sign. As high as its text, up to a limit.
class GeneratedTexts final : public QTextEdit
{
    Q_OBJECT

public:
    explicit GeneratedTexts(QWidget* parent = nullptr);

    void setTexts(const std::vector<DividedText>& texts);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitHeight();
};

}  // namespace qs::widgets
