#include "widgets/plan/picture_strip.h"

#include "core/run/input_set.h"
#include "widgets/models/number_text.h"
#include "widgets/models/plain_tip.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <utility>

namespace qs::widgets {

namespace {

constexpr int kThumbnailSide = 40;  // on the screen
constexpr int kThumbnailGap = 4;
// Made larger: screens have up to twice the pixels.
constexpr int kThumbnailPixels = 2 * kThumbnailSide;
// More than fit beside each other, and as many as outputs are kept of.
constexpr int kMostThumbnails = 16;

QImage imageOfInput(const core::Picture& picture)
{
    const std::vector<std::uint8_t> bytes = core::toBytes(picture);
    return QImage(bytes.data(), picture.width, picture.height,
                  static_cast<qsizetype>(picture.width) * 3, QImage::Format_RGB888)
        .copy();
}

QStringList textsOf(const std::vector<std::string>& texts)
{
    QStringList list;
    for (const std::string& text : texts)
        list << QString::fromStdString(text);
    return list;
}

}  // namespace

PictureStrip::PictureStrip(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("pictureStrip"));
    setAccessibleName(tr("First images"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

PictureStrip::~PictureStrip()
{
    // A large picture takes seconds, and the end waits for the worker.
    m_stop.request_stop();
}

void PictureStrip::setPictures(const core::PictureSettings& pictures)
{
    const bool same = pictures.source == m_pictures.source && pictures.crop == m_pictures.crop;
    m_pictures = pictures;
    update();
    if (same && m_state != State::Waiting)
        return;
    clear();
    if (isVisible())
        read();
}

void PictureStrip::forget()
{
    clear();
}

void PictureStrip::clear()
{
    m_stop.request_stop();
    m_reading.drop();
    m_thumbnails.clear();
    m_leftOut.clear();
    m_reasons.clear();
    m_state = State::Waiting;
    setAccessibleDescription({});
    update();
}

void PictureStrip::read()
{
    if (m_pictures.shipped())
        return;
    m_state = State::Reading;
    m_stop = std::stop_source();
    // Another number of pictures is a matter of showing them.
    core::PictureSettings wanted = m_pictures;
    wanted.count = kMostThumbnails;
    m_reading.start(
        this, [wanted, stop = m_stop.get_token()](const auto&) { return firstStep(wanted, stop); },
        [this](const Step& step) { receive(step); });
}

PictureStrip::Step PictureStrip::firstStep(const core::PictureSettings& pictures,
                                           const std::stop_token& stop)
{
    auto sequence = core::InputSequence::open(pictures, kThumbnailPixels, core::InputCache(), stop);
    if (!sequence.ok())
        return {.sequence = nullptr,
                .thumbnail = {},
                .problem = QString::fromStdString(sequence.error().message)};
    return nextStep(std::make_shared<core::InputSequence>(std::move(sequence).value()), stop);
}

PictureStrip::Step PictureStrip::nextStep(std::shared_ptr<core::InputSequence> sequence,
                                          const std::stop_token& stop)
{
    Step step;
    step.sequence = std::move(sequence);
    const auto input = step.sequence->next(stop);
    if (!input.ok()) {
        step.problem = QString::fromStdString(input.error().message);
    } else if (input.value()) {
        step.ended = false;
        step.thumbnail = {.name = QString::fromStdString(input.value()->name),
                          .image = imageOfInput(input.value()->picture)};
    }
    return step;
}

void PictureStrip::receive(const Step& step)
{
    if (step.sequence != nullptr) {
        m_leftOut = textsOf(step.sequence->skippedNames());
        m_reasons = textsOf(step.sequence->skipped());
    }
    if (!step.ended) {
        m_thumbnails.push_back(step.thumbnail);
        m_reading.start(
            this,
            [sequence = step.sequence, stop = m_stop.get_token()](const auto&) {
                return nextStep(sequence, stop);
            },
            [this](const Step& next) { receive(next); });
    } else {
        m_state = m_thumbnails.empty() ? State::NoneUsable : State::Shown;
        if (m_reasons.isEmpty() && !step.problem.isEmpty())
            m_reasons << step.problem;
    }
    setAccessibleDescription(line());
    update();
}

void PictureStrip::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_state == State::Waiting)
        read();
}

int PictureStrip::shownCount() const
{
    return std::min(m_pictures.count, static_cast<int>(m_thumbnails.size()));
}

QStringList PictureStrip::names() const
{
    QStringList names;
    for (int number = 0; number < shownCount(); ++number)
        names << m_thumbnails[static_cast<std::size_t>(number)].name;
    return names;
}

int PictureStrip::places() const
{
    return std::max(1, (width() + kThumbnailGap) / (kThumbnailSide + kThumbnailGap));
}

QRect PictureStrip::placeOf(int number) const
{
    return {number * (kThumbnailSide + kThumbnailGap), 0, kThumbnailSide, kThumbnailSide};
}

QString PictureStrip::line() const
{
    const QString separator = QStringLiteral(", ");
    switch (m_state) {
    case State::Waiting:
        return {};
    case State::Reading:
        return tr("Reading images…");
    case State::NoneUsable:
        return m_leftOut.isEmpty()
                   ? tr("No image here; PNG and JPEG can be used")
                   : tr("No usable image; left out: %1").arg(m_leftOut.join(separator));
    case State::Shown:
        break;
    }
    if (!m_leftOut.isEmpty())
        return tr("Left out: %1").arg(m_leftOut.join(separator));
    return m_pictures.count > kMostThumbnails && shownCount() == kMostThumbnails
               ? tr("The first %1 images").arg(QLocale().toString(kMostThumbnails))
               : countedText(shownCount(), tr("1 image"), tr("%1 images"));
}

void PictureStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    const int shown = shownCount();
    // The last place says how many have none.
    const int drawn = shown <= places() ? shown : places() - 1;
    for (int number = 0; number < drawn; ++number)
        painter.drawImage(placeOf(number), m_thumbnails[static_cast<std::size_t>(number)].image);
    painter.setPen(palette().color(QPalette::PlaceholderText));
    if (drawn < shown)
        painter.drawText(placeOf(drawn), Qt::AlignCenter,
                         tr("+%1").arg(QLocale().toString(shown - drawn)));
    const QRect below(0, kThumbnailSide, width(), height() - kThumbnailSide);
    const bool fault = m_state == State::NoneUsable || !m_leftOut.isEmpty();
    painter.setPen(palette().color(fault ? QPalette::WindowText : QPalette::PlaceholderText));
    painter.drawText(below, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                     fontMetrics().elidedText(line(), Qt::ElideRight, width()));
}

QString PictureStrip::tipAt(QPoint position) const
{
    for (int number = 0; number < std::min(shownCount(), places()); ++number) {
        if (placeOf(number).contains(position))
            return m_thumbnails[static_cast<std::size_t>(number)].name;
    }
    return m_reasons.isEmpty() ? line() : m_reasons.join(QLatin1Char('\n'));
}

bool PictureStrip::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), plainTip(tipAt(help->pos())), this);
    return true;
}

QSize PictureStrip::sizeHint() const
{
    return minimumSizeHint();
}

QSize PictureStrip::minimumSizeHint() const
{
    return {kThumbnailSide, kThumbnailSide + fontMetrics().height() + kThumbnailGap};
}

}  // namespace qs::widgets

#include "moc_picture_strip.cpp"
