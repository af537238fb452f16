#include "app/gui/figure_dialog.h"

#include "widgets/layout/screen_room.h"
#include "widgets/models/plain_tip.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFontComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <utility>

namespace qs::app {

namespace {

constexpr QSize kPreview{560, 380};
constexpr QSize kSmallestPreview{280, 140};
constexpr double kNarrowest = 40.0;
constexpr double kWidest = 400.0;

}  // namespace

FigureDialog::FigureDialog(Paint paint, QWidget* parent)
    : QDialog(parent), m_paint(std::move(paint))
{
    setObjectName(QStringLiteral("figureDialog"));
    setWindowTitle(tr("Figure for a paper"));
    setAttribute(Qt::WA_DeleteOnClose);
    build();
    connect(m_column, &QComboBox::currentIndexChanged, this, [this] {
        if (const double width = m_column->currentData().toDouble(); width > 0.0)
            m_width->setValue(width);
    });
    connect(m_width, &QDoubleSpinBox::valueChanged, this, [this](double width) {
        const QSignalBlocker quiet(m_column);
        const int known = m_column->findData(width);
        m_column->setCurrentIndex(known >= 0 ? known : m_column->count() - 1);
        preview();
    });
    connect(m_family, &QFontComboBox::currentFontChanged, this, &FigureDialog::preview);
    connect(m_points, &QDoubleSpinBox::valueChanged, this, &FigureDialog::preview);
    connect(m_legend, &QComboBox::currentIndexChanged, this, &FigureDialog::preview);
    connect(m_title, &QLineEdit::textChanged, this, &FigureDialog::preview);
    preview();
}

void FigureDialog::build()
{
    m_column = new QComboBox;
    m_column->setObjectName(QStringLiteral("figureColumn"));
    m_column->addItem(tr("One column (IEEE)"), widgets::kColumnMillimetres);
    m_column->addItem(tr("Two columns (IEEE)"), 181.9);
    m_column->addItem(tr("One column (Nature, 89 mm)"), 89.0);
    m_column->addItem(tr("One column (Springer, 84 mm)"), 84.0);
    m_column->addItem(tr("Two columns (Springer, 174 mm)"), 174.0);
    m_column->addItem(tr("Line of text (LNCS, 122 mm)"), 122.0);
    m_column->addItem(tr("Other width"), 0.0);
    m_width = new QDoubleSpinBox;
    m_width->setObjectName(QStringLiteral("figureWidth"));
    m_width->setRange(kNarrowest, kWidest);
    m_width->setDecimals(1);
    m_width->setSuffix(tr(" mm"));
    m_width->setValue(widgets::kColumnMillimetres);
    m_family = new QFontComboBox;
    m_family->setObjectName(QStringLiteral("figureFont"));
    m_family->setFontFilters(QFontComboBox::ScalableFonts);
    m_family->setCurrentFont(widgets::printTheme().font);
    m_points = new QDoubleSpinBox;
    m_points->setObjectName(QStringLiteral("figurePoints"));
    m_points->setRange(5.0, 16.0);
    m_points->setSingleStep(0.5);
    m_points->setDecimals(1);
    m_points->setSuffix(tr(" pt"));
    m_points->setValue(8.0);
    m_legend = new QComboBox;
    m_legend->setObjectName(QStringLiteral("figureLegend"));
    m_legend->addItem(tr("Where there is room"));
    m_legend->addItem(tr("Right"), static_cast<int>(widgets::LegendPlace::Right));
    m_legend->addItem(tr("Below"), static_cast<int>(widgets::LegendPlace::Below));
    m_legend->addItem(tr("None"), static_cast<int>(widgets::LegendPlace::None));
    m_title = new QLineEdit;
    m_title->setObjectName(QStringLiteral("figureTitle"));
    m_title->setPlaceholderText(tr("none: papers have captions"));
    m_preview = new QLabel;
    m_preview->setObjectName(QStringLiteral("figurePreview"));
    m_preview->setAlignment(Qt::AlignCenter);
    m_preview->setMinimumSize(kSmallestPreview);
    // It is as large as there is room for, not as its image was.
    m_preview->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    m_preview->setWordWrap(true);
    m_preview->installEventFilter(this);
    auto* form = new QFormLayout;
    form->addRow(tr("&For:"), m_column);
    form->addRow(tr("&Width:"), m_width);
    form->addRow(tr("F&ont:"), m_family);
    form->addRow(tr("&Size:"), m_points);
    form->addRow(tr("&Legend:"), m_legend);
    form->addRow(tr("&Title:"), m_title);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    const auto add = [&](const char* name, const QString& text, const QString& tip, auto signal) {
        auto* button = buttons->addButton(text, QDialogButtonBox::ActionRole);
        button->setObjectName(QString::fromLatin1(name));
        button->setToolTip(widgets::plainTip(tip));
        connect(button, &QPushButton::clicked, this, [this, signal] {
            Q_EMIT(this->*signal)(options());
        });
    };
    add("figureSave", tr("Save as…"), tr("PNG (300 dpi), SVG or PDF, by the name of the file"),
        &FigureDialog::saveWanted);
    add("figureCopy", tr("Copy"), tr("Copy the figure as an image"), &FigureDialog::copyWanted);
    add("figureScript", tr("Script and data…"),
        tr("Save a program for matplotlib and the CSV of exactly this figure"),
        &FigureDialog::scriptWanted);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    column->addLayout(form);
    column->addWidget(m_preview, 1);
    column->addWidget(buttons);
    widgets::resizeWithinScreen(*this, sizeHint() + kPreview - kSmallestPreview);
}

widgets::CurveExport FigureDialog::options() const
{
    widgets::CurveExport options;
    options.widthMillimetres = m_width->value();
    options.family = m_family->currentFont().family();
    options.points = m_points->value();
    options.title = m_title->text();
    if (const QVariant place = m_legend->currentData(); place.isValid())
        options.legend = static_cast<widgets::LegendPlace>(place.toInt());
    return options;
}

void FigureDialog::preview()
{
    const auto figure = m_paint(options());
    m_image = figure.ok() ? figure.value().image : QImage();
    if (figure.ok())
        showImage();
    else
        m_preview->setText(
            tr("There is nothing to draw: %1").arg(QString::fromStdString(figure.error().message)));
}

void FigureDialog::showImage()
{
    if (m_image.isNull())
        return;
    const double ratio = devicePixelRatioF();
    QPixmap shown = QPixmap::fromImage(
        m_image.scaled(m_preview->size() * ratio, Qt::KeepAspectRatio, Qt::SmoothTransformation));
    shown.setDevicePixelRatio(ratio);
    m_preview->setPixmap(shown);
}

bool FigureDialog::eventFilter(QObject* label, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        showImage();
    return QDialog::eventFilter(label, event);
}

}  // namespace qs::app

#include "moc_figure_dialog.cpp"
