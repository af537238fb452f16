#include "widgets/plan/message_line.h"

#include "widgets/layout/elided_paragraph.h"
#include "widgets/models/plain_tip.h"

namespace qs::widgets {

QLabel* newMessageLine(const QString& name, QWidget* parent)
{
    auto* line = new ElidedParagraph(1, parent);
    line->setObjectName(name);
    line->setFixedHeight(line->fontMetrics().lineSpacing());
    return line;
}

void showMessage(QLabel& line, const QString& message)
{
    line.setText(message);
    line.setToolTip(message.isEmpty() ? QString() : plainTip(message));
}

}  // namespace qs::widgets
