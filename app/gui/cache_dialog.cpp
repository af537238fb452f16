#include "app/gui/cache_dialog.h"

#include "app/gui/path_text.h"
#include "core/base/format.h"
#include "widgets/background/in_background.h"
#include "widgets/models/number_text.h"
#include "widgets/models/plain_tip.h"

#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <string>
#include <utility>

namespace qs::app {

namespace {

struct Words {
    QString name;
    QString about;
};

Words wordsOf(core::CacheKind kind)
{
    switch (kind) {
    case core::CacheKind::Inputs:
        return {CacheDialog::tr("Inputs"),
                CacheDialog::tr("Images as the models take them: decoded and resized")};
    case core::CacheKind::Calibration:
        return {CacheDialog::tr("Calibration"),
                CacheDialog::tr("Scales and weights that calibration and GPTQ have found")};
    case core::CacheKind::Packages:
        return {CacheDialog::tr("Compiled packages"),
                CacheDialog::tr("What Inductor compiled; a cell without its package compiles "
                                "again, which takes minutes")};
    case core::CacheKind::Kernels:
        return {CacheDialog::tr("Fused kernels"),
                CacheDialog::tr("Code of the kernels of compile mode fused, which takes seconds to "
                                "make")};
    }
    return {};
}

QString sizeText(const core::CacheContents& contents)
{
    if (contents.files == 0)
        return CacheDialog::tr("empty");
    return CacheDialog::tr("%1 in %2")
        .arg(QString::fromStdString(core::formatBytes(static_cast<double>(contents.bytes))),
             widgets::countedText(static_cast<qsizetype>(contents.files), CacheDialog::tr("1 file"),
                                  CacheDialog::tr("%1 files")));
}

}  // namespace

CacheDialog::CacheDialog(std::filesystem::path caches, QWidget* parent)
    : QDialog(parent), m_caches(std::move(caches)), m_note(new QLabel)
{
    setObjectName(QStringLiteral("cacheDialog"));
    setWindowTitle(tr("Caches"));
    m_note->setObjectName(QStringLiteral("cacheNote"));
    m_note->setWordWrap(true);
    m_note->setTextFormat(Qt::PlainText);
    m_note->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* column = new QVBoxLayout(this);
    addLines();
    column->addWidget(m_note);
    column->addStretch(1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
    resize(fontMetrics().averageCharWidth() * 72, sizeHint().height());
    refresh();
}

void CacheDialog::addLines()
{
    auto* grid = new QGridLayout;
    grid->setColumnStretch(1, 1);
    int row = 0;
    for (const core::CacheKind kind : core::kCacheKinds.values()) {
        const Words words = wordsOf(kind);
        const QString id = QString::fromStdString(std::string(core::kCacheKinds.of(kind)));
        Line& line = m_lines[static_cast<std::size_t>(row)];
        line.kind = kind;
        auto* name = new QLabel(words.name);
        name->setTextFormat(Qt::PlainText);
        name->setToolTip(widgets::plainTip(words.about));
        line.size = new QLabel;
        line.size->setObjectName(QStringLiteral("cacheSize_") + id);
        line.size->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        line.clear = new QPushButton(tr("Clear"));
        line.clear->setObjectName(QStringLiteral("cacheClear_") + id);
        line.clear->setToolTip(widgets::plainTip(tr("Remove all of: %1").arg(words.about)));
        line.clear->setAccessibleName(tr("Clear %1").arg(words.name));
        line.clear->setAutoDefault(false);
        connect(line.clear, &QPushButton::clicked, this, [this, kind] { clear(kind); });
        grid->addWidget(name, row, 0);
        grid->addWidget(line.size, row, 1);
        grid->addWidget(line.clear, row, 2);
        ++row;
    }
    static_cast<QVBoxLayout*>(layout())->addLayout(grid);
}

void CacheDialog::refresh()
{
    if (m_caches.empty()) {
        m_note->setText(tr("There is no cache folder: set HOME or QUANTSCOPE_CACHE."));
        setBusy(false);
        return;
    }
    setBusy(true);
    widgets::inBackground(
        this, [caches = m_caches] { return Answer{.contents = core::cacheContents(caches)}; },
        [this](const Answer& answer) { receive(answer); });
}

void CacheDialog::clear(core::CacheKind kind)
{
    setBusy(true);
    widgets::inBackground(
        this,
        [caches = m_caches, kind] {
            const core::CacheContents cleared = core::clearCache(caches, kind);
            return Answer{.contents = core::cacheContents(caches), .remaining = cleared.remaining};
        },
        [this](const Answer& answer) { receive(answer); });
}

void CacheDialog::receive(const Answer& answer)
{
    m_contents = answer.contents;
    const QString folder = textOf(m_caches);
    m_note->setText(answer.remaining == 0
                        ? tr("In %1. Running sweeps make again what they need.").arg(folder)
                        : widgets::countedText(static_cast<qsizetype>(answer.remaining),
                                               tr("1 file could not be removed."),
                                               tr("%1 files could not be removed.")));
    setBusy(false);
}

void CacheDialog::setBusy(bool busy)
{
    m_busy = busy;
    for (const Line& line : m_lines) {
        const core::CacheContents* contents = nullptr;
        for (const core::CacheContents& each : m_contents)
            contents = each.kind == line.kind ? &each : contents;
        line.size->setText(contents == nullptr ? tr("–") : sizeText(*contents));
        line.clear->setEnabled(!busy && contents != nullptr && contents->files > 0);
    }
}

}  // namespace qs::app

#include "moc_cache_dialog.cpp"
