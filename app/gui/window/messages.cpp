#include "app/gui/window/messages.h"

#include "widgets/layout/plain_box.h"

#include <QMessageBox>

namespace qs::app {

void Messages::showProblem(const QString& title, const QString& text)
{
    auto* box = new QMessageBox(QMessageBox::Warning, title, title, QMessageBox::Close, &m_window);
    box->setObjectName(QStringLiteral("problemBox"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(text);
    box->setTextInteractionFlags(Qt::TextSelectableByMouse);
    widgets::showPlainly(*box);
    box->open();
    Q_EMIT problemShown(text);
}

void Messages::notify(const QString& notice)
{
    m_notice = notice;
    Q_EMIT noticeChanged();
}

}  // namespace qs::app

#include "moc_messages.cpp"
