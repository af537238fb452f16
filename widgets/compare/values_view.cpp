#include "widgets/compare/values_view.h"

#include "widgets/compare/compare_buttons.h"
#include "widgets/compare/compare_heading.h"
#include "widgets/compare/difference_plot.h"
#include "widgets/compare/generated_texts.h"
#include "widgets/compare/sample_list.h"
#include "widgets/compare/token_model.h"
#include "widgets/compare/value_texts.h"
#include "widgets/layout/elided_paragraph.h"
#include "widgets/models/cell_text.h"
#include "widgets/models/plain_tip.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace qs::widgets {

namespace {

constexpr int kValuesMargin = 6;
constexpr int kValuesGap = 4;
constexpr int kPromptLines = 2;

QLabel* makeTitle(const QString& text)
{
    auto* title = new QLabel(text);
    title->setTextFormat(Qt::PlainText);
    QFont bold = title->font();
    bold.setBold(true);
    title->setFont(bold);
    return title;
}

}  // namespace

ValuesView::ValuesView(RunStore& store, ComparedCells& cells, QWidget* parent, Loader loader)
    : QWidget(parent),
      m_store(store),
      m_cells(cells),
      m_loader(std::move(loader)),
      m_heading(new CompareHeading),
      m_sample(new ElidedParagraph(1)),
      m_pin(makeButton(new QToolButton, QStringLiteral("pinValues"), tr("Pin A"),
                       tr("Keep A beside the cells that are selected next; again: let it go "
                          "(keys 1 … 9)"))),
      m_large(makeButton(new LargeButton, QStringLiteral("largeValues"), {},
                         tr("The outputs in the whole window (Space or F11)"))),
      m_samples(new SampleList),
      m_missing(makeParagraph(QStringLiteral("missingValues"))),
      m_prompt(new ElidedParagraph(kPromptLines)),
      m_readHeading(makeTitle({})),
      m_read(new GeneratedTexts),
      m_tokens(new TokenModel(this)),
      m_textHeading(makeTitle(tr("Generated tokens"))),
      m_texts(new ValueTableView(QStringLiteral("texts"), tr("Generated tokens"))),
      m_plotHeading(makeTitle(tr("Differences from the reference"))),
      m_plot(new DifferencePlot)
{
    build();
    clear();
    setFocusProxy(m_samples);
    connect(m_samples, &SampleList::sampleChosen, &m_store, &RunStore::selectPicture);
    connect(m_heading, &CompareHeading::measuredWanted, this, &ValuesView::measuredWanted);
    connect(m_pin, &QToolButton::clicked, this,
            [this] { m_cells.togglePinned(m_store.selectedCell()); });
    connect(m_large, &QToolButton::toggled, this, &ValuesView::largeToggled);
}

void ValuesView::build()
{
    // The heading of the pictures has the plain names.
    for (QWidget* part : m_heading->findChildren<QWidget*>())
        part->setObjectName(QStringLiteral("values:") + part->objectName());
    m_large->setAccessibleName(tr("Whole window"));
    m_large->setMinimumWidth(m_large->sizeHint().height() * 3 / 2);
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(makeParts());
    auto* row = new QHBoxLayout;
    row->addWidget(m_samples);
    row->addWidget(scroll, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kValuesMargin, kValuesGap, kValuesMargin, kValuesGap);
    column->setSpacing(kValuesGap);
    column->addLayout(makeHead());
    column->addLayout(row, 1);
    auto* foot = new QHBoxLayout;
    foot->addWidget(m_heading, 1);
    foot->addWidget(m_heading->detailsButton());
    column->addLayout(foot);
}

QHBoxLayout* ValuesView::makeHead()
{
    m_sample->setObjectName(QStringLiteral("sample"));
    auto* head = new QHBoxLayout;
    head->addWidget(m_sample, 1);
    head->addWidget(m_pin);
    head->addWidget(m_large);
    return head;
}

QWidget* ValuesView::makeParts()
{
    auto* parts = new QWidget;
    auto* column = new QVBoxLayout(parts);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kValuesGap);
    m_prompt->setObjectName(QStringLiteral("prompt"));
    m_texts->setModel(m_tokens);
    column->addWidget(m_prompt);
    column->addWidget(m_readHeading);
    column->addWidget(m_read);
    column->addWidget(m_textHeading);
    column->addWidget(m_texts, 0, Qt::AlignLeft);
    m_scores = addPart(*column, QStringLiteral("scores"), tr("Most likely"));
    m_figures =
        addPart(*column, QStringLiteral("figures"), tr("Against the reference, this sample"));
    column->addWidget(m_plotHeading);
    column->addWidget(m_plot);
    m_differences = addPart(*column, QStringLiteral("differences"), tr("Largest differences"));
    column->addWidget(m_missing);
    column->addStretch(1);
    return parts;
}

ValuesView::Part ValuesView::addPart(QVBoxLayout& column, const QString& name, const QString& title)
{
    const Part part{makeTitle(title), new ValueTableView(name, title), new ValueTableModel(this)};
    part.view->setModel(part.rows);
    part.view->setSelectionMode(QAbstractItemView::ContiguousSelection);
    column.addWidget(part.heading);
    column.addWidget(part.view, 0, Qt::AlignLeft);
    return part;
}

void ValuesView::showPart(const Part& part, ValueTable table)
{
    const bool any = !table.cells.empty() && !table.columns.empty();
    part.rows->setTable(std::move(table));
    part.heading->setVisible(any);
    part.view->setVisible(any);
    part.view->resizeColumnsToContents();
    part.view->fit();
}

void ValuesView::clear()
{
    m_task.drop();
    m_requested = {};
    showLoaded(std::make_shared<const LoadedValues>());
}

void ValuesView::setLarge(bool large)
{
    m_large->setChecked(large);
}

void ValuesView::keyPressEvent(QKeyEvent* event)
{
    const int key = event->key();
    const bool plain = (event->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
    if (plain && key >= Qt::Key_1 && key <= Qt::Key_9)
        m_cells.pin(key - Qt::Key_0, m_store.selectedCell());
    else if (plain && key == Qt::Key_Space)
        Q_EMIT largeToggled(!m_large->isChecked());
    else if (plain && (key == Qt::Key_Left || key == Qt::Key_Right))
        m_read->blink(key == Qt::Key_Left ? -1 : 1);
    else if (plain && key == Qt::Key_Escape && !m_read->showAll())
        Q_EMIT largeToggled(false);
    else
        QWidget::keyPressEvent(event);
}

ValuesRequest ValuesView::requestNow(const core::PlannedCell& a) const
{
    ValuesRequest request;
    request.runFolder = m_store.data().folder;
    request.kind = a.output;
    request.sample = m_store.selectedPicture();
    const core::OutputPlaces& outputs = m_store.analysis().outputs;
    const std::string environment = m_cells.environment();
    const auto source = [&](const core::PlannedCell& cell, const QString& label) {
        return ValueSource{m_cells.outputSource(cell), label, cellTitle(cell),
                           outputs.pictures(cell.id, environment)};
    };
    const core::ModelFeeding& feeding = m_store.data().plan.preset.feeding;
    for (const auto& [input, feed] : feeding.inputs) {
        const auto* text = std::get_if<core::TextFeed>(&feed);
        if (text == nullptr || !request.tokenizer.empty())
            continue;
        request.tokenizer = core::feedTokenizerName(feeding, input);
        request.pad = text->pad;
    }
    if (const core::PlannedCell* reference = m_store.data().plan.find(a.referenceId))
        request.reference = source(*reference, {});
    for (int place = 0; place < ComparedCells::kCount; ++place) {
        // Values of another run are not read.
        if (m_cells.isOfOtherRun(place))
            continue;
        const core::PlannedCell* cell = m_cells.cell(place);
        const auto same = [&](const ValueSource& other) { return other.output.cellId == cell->id; };
        if (cell != nullptr && cell->id != a.referenceId && cell->output == a.output &&
            std::none_of(request.cells.begin(), request.cells.end(), same))
            request.cells.push_back(source(*cell, ComparedCells::label(place)));
    }
    return request;
}

void ValuesView::showCells()
{
    const core::PlannedCell& a = *m_cells.cell(ComparedCells::kA);
    m_heading->showCell(m_store.analysis(), a);
    const ValuesRequest request = requestNow(a);
    const std::string environment = m_cells.environment();
    const auto samples = samplesWorstFirst(
        m_store.data(), a, environment,
        std::max(request.reference.kept, m_store.analysis().outputs.pictures(a.id, environment)));
    m_samples->setSamples(m_store.data(), a.output, samples);
    m_samples->setVisible(!samples.empty());
    m_samples->showSample(request.sample);
    m_sample->setText(tr("%1 · worst first").arg(sampleName(m_store.data(), request.sample)));
    showPart(m_figures, figureTable(m_store.data(), request, environment));
    load(request);
}

void ValuesView::load(const ValuesRequest& request)
{
    if (request == m_requested)
        return;
    m_requested = request;
    m_task.start(
        this,
        [loader = m_loader, request](const auto&) {
            return std::make_shared<const LoadedValues>(loader(request));
        },
        [this](const std::shared_ptr<const LoadedValues>& loaded) {
            if (loaded != nullptr)
                showLoaded(loaded);
        });
}

void ValuesView::showLoaded(const std::shared_ptr<const LoadedValues>& loaded)
{
    showTexts(loaded);
    m_scores.heading->setText(scoreHeading(*loaded));
    const bool ranked = !loaded->reference.best.empty() ||
                        std::any_of(loaded->cells.begin(), loaded->cells.end(),
                                    [](const CellValues& cell) { return !cell.best.empty(); });
    showPart(m_scores, ranked ? scoreTable(*loaded) : ValueTable());
    const bool differs = !loaded->cells.empty() && !loaded->cells.front().differences.empty();
    m_plotHeading->setVisible(differs);
    m_plot->setVisible(differs);
    if (differs)
        m_plot->setBins(loaded->cells.front().differences);
    showPart(m_differences, differs ? differenceTable(*loaded) : ValueTable());
    const QString missing = missingText(*loaded);
    m_missing->setText(missing);
    m_missing->setVisible(!missing.isEmpty());
}

void ValuesView::showTexts(const std::shared_ptr<const LoadedValues>& loaded)
{
    const bool prompt = !loaded->prompt.empty();
    m_prompt->setText(prompt ? promptText(*loaded) : QString());
    m_prompt->setVisible(prompt);
    const std::vector<DividedText> texts = dividedTexts(*loaded);
    m_readHeading->setText(loaded->predicted ? tr("Most likely next tokens as text")
                                             : tr("Generated texts"));
    m_readHeading->setVisible(!texts.empty());
    m_read->setVisible(!texts.empty());
    m_read->setTexts(texts);
    m_textHeading->setText(loaded->predicted ? tr("Most likely next tokens")
                                             : tr("Generated tokens"));
    m_tokens->setLoaded(loaded);
    const bool any = m_tokens->columnCount() > 0;
    m_textHeading->setVisible(any);
    m_texts->setVisible(any);
    // One width for all: measuring a hundred thousand columns would block the window.
    m_texts->horizontalHeader()->setDefaultSectionSize(
        m_texts->fontMetrics().horizontalAdvance(QStringLiteral("≠ 000000")) + 2 * kValuesMargin);
    m_texts->fit();
    if (const int first = m_tokens->firstDivergence(); first >= 0)
        m_texts->scrollTo(m_tokens->index(0, first), QAbstractItemView::PositionAtCenter);
}

}  // namespace qs::widgets

#include "moc_values_view.cpp"
