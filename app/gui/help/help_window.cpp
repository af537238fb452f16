#include "app/gui/help/help_window.h"

#include "app/gui/help/help_text.h"
#include "widgets/layout/screen_room.h"

#include <QDesktopServices>
#include <QDir>
#include <QFile>
#include <QListWidget>
#include <QSplitter>
#include <QTextBrowser>
#include <QUrl>
#include <QVBoxLayout>

namespace qs::app {

namespace {

constexpr const char* kPageProperty = "qsHelpPage";
constexpr qint64 kMostTitleBytes = 200;

QString titleOf(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QString line = QString::fromUtf8(file.readLine(kMostTitleBytes)).trimmed();
    return line.startsWith(QStringLiteral("# ")) ? line.mid(2) : QString();
}

}  // namespace

HelpWindow::HelpWindow(const std::filesystem::path& folder, QWidget* parent)
    : QDialog(parent), m_folder(QString::fromStdString(folder.string()))
{
    setObjectName(QStringLiteral("helpWindow"));
    setWindowTitle(tr("QuantScope help"));
    m_list = new QListWidget(this);
    m_list->setObjectName(QStringLiteral("helpList"));
    m_list->setAccessibleName(tr("Pages"));
    m_text = new HelpText(this);
    m_text->setObjectName(QStringLiteral("helpText"));
    m_text->setAccessibleName(tr("Page"));
    m_text->setSearchPaths({m_folder});
    m_text->setOpenLinks(false);
    auto* splitter = new QSplitter(Qt::Horizontal, this);
    splitter->addWidget(m_list);
    splitter->addWidget(m_text);
    splitter->setStretchFactor(1, 1);
    splitter->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    layout->addWidget(splitter);
    const int unit = fontMetrics().averageCharWidth();
    widgets::resizeWithinScreen(*this, {unit * 120, unit * 85});
    splitter->setSizes({unit * 26, unit * 94});
    fillList();
    connect(m_list, &QListWidget::currentRowChanged, this, &HelpWindow::showRow);
    connect(m_text, &QTextBrowser::anchorClicked, this, [this](const QUrl& url) {
        if (url.isRelative())
            showPage(url.path().section(QLatin1Char('.'), 0, 0));
        else
            QDesktopServices::openUrl(url);
    });
    if (m_list->count() > 0)
        m_list->setCurrentRow(0);
    else
        m_text->setPlainText(tr("Help pages not found in %1.").arg(m_folder));
}

void HelpWindow::fillList()
{
    const QDir folder(m_folder);
    // By file name: names begin with two digits that order them.
    for (const QString& file :
         folder.entryList({QStringLiteral("*.md")}, QDir::Files, QDir::Name)) {
        auto* item = new QListWidgetItem(titleOf(folder.filePath(file)), m_list);
        item->setData(Qt::UserRole, file.chopped(3));
    }
}

void HelpWindow::showRow(int row)
{
    if (const QListWidgetItem* item = m_list->item(row))
        m_text->setSource(QUrl(item->data(Qt::UserRole).toString() + QStringLiteral(".md")),
                          QTextDocument::MarkdownResource);
}

void HelpWindow::showPage(const QString& name)
{
    for (int row = 0; row < m_list->count(); ++row) {
        const QString page = m_list->item(row)->data(Qt::UserRole).toString();
        // Whoever asks need not know the digits.
        if (page == name || page.section(QLatin1Char('_'), 1) == name) {
            m_list->setCurrentRow(row);
            return;
        }
    }
    m_list->setCurrentRow(0);
}

QString HelpWindow::currentPage() const
{
    const QListWidgetItem* item = m_list->currentItem();
    return item == nullptr ? QString() : item->data(Qt::UserRole).toString();
}

void HelpWindow::setPageOf(QWidget& widget, const QString& name)
{
    widget.setProperty(kPageProperty, name);
}

QString HelpWindow::pageOf(const QWidget* widget)
{
    for (; widget != nullptr; widget = widget->parentWidget()) {
        const QString page = widget->property(kPageProperty).toString();
        if (!page.isEmpty())
            return page;
    }
    return {};
}

}  // namespace qs::app

#include "moc_help_window.cpp"
