#pragma once

#include "widgets/compare/token_text.h"

#include <QTextEdit>

#include <cstddef>
#include <optional>
#include <vector>

namespace qs::widgets {

// The texts of reference and cells one below the other, to be read and copied; where one leaves the
// reference is marked by a colour and a sign. As high as its text, up to a limit. ← and → show one
// text alone, in one place; Escape shows all again. Colour and tip of a token tell how far its
// logits are.
class GeneratedTexts final : public QTextEdit
{
    Q_OBJECT

public:
    explicit GeneratedTexts(QWidget* parent = nullptr);

    void setTexts(std::vector<DividedText> texts);
    // One text alone in the place of the first, the next or the one before: what changes blinks.
    // Beyond the ends it goes round.
    void blink(int step);
    // All below one another again; false if they were.
    bool showAll();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void write();
    void write(const DividedText& text);
    void fitHeight();

    std::vector<DividedText> m_texts;
    std::optional<std::size_t> m_alone;  // the text that is shown; all
};

}  // namespace qs::widgets
