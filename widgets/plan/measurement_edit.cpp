#include "widgets/plan/measurement_edit.h"

#include "core/sweep/measurement_settings.h"
#include "widgets/models/phase_text.h"
#include "widgets/models/plain_tip.h"
#include "widgets/plan/message_line.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLabel>
#include <QLocale>
#include <QSignalBlocker>
#include <QSpinBox>

namespace qs::widgets {

namespace {

constexpr double kLongestSeconds = 7.0 * 24.0 * 3600.0;
constexpr int kNarrowest = 76;  // pixels: "1000.00 s" fits
constexpr double kPercent = 100.0;

struct PhaseLimit {
    core::Phase phase;
    QString about;
};

QList<PhaseLimit> phaseLimits()
{
    return {
        {core::Phase::Load, MeasurementEdit::tr("Loading weights. Default 120 s")},
        {core::Phase::Calibrate,
         MeasurementEdit::tr("Running the model over the calibration set. Default 1800 s")},
        {core::Phase::Quantize,
         MeasurementEdit::tr(
             "Converting weights to the precision of the cell. Default: as for loading")},
        {core::Phase::Compile, MeasurementEdit::tr("Compiling or capturing, including the first "
                                                   "pass and the memory pass. Default 1800 s")},
        {core::Phase::Warmup, MeasurementEdit::tr("Warming up. Default 60 s")},
        {core::Phase::Measure,
         MeasurementEdit::tr("Timing. Default: 30 s plus ten times the longest sampling time")},
        {core::Phase::Outputs,
         MeasurementEdit::tr("Computing and storing the quality images. Default 120 s")}};
}

void setQuietly(QDoubleSpinBox* box, double value)
{
    const QSignalBlocker blocker(box);
    box->setValue(value);
}

void setQuietly(QSpinBox* box, int value)
{
    const QSignalBlocker blocker(box);
    box->setValue(value);
}

using Settings = core::MeasurementSettings;

struct SecondsField {
    const char* name;
    const char* about;
    double Settings::*member;
};
constexpr SecondsField kSeconds[] = {
    {"minimumWarmup",
     QT_TRANSLATE_NOOP("qs::widgets::MeasurementEdit",
                       "Minimum warm-up time; its passes are not timed"),
     &Settings::minimumWarmupSeconds},
    {"maximumWarmup",
     QT_TRANSLATE_NOOP("qs::widgets::MeasurementEdit",
                       "Maximum warm-up time. Warm-up ends earlier when the pass times are steady"),
     &Settings::maximumWarmupSeconds},
    {"minimumSampling", QT_TRANSLATE_NOOP("qs::widgets::MeasurementEdit", "Minimum sampling time"),
     &Settings::minimumSampleSeconds},
    {"maximumSampling",
     QT_TRANSLATE_NOOP("qs::widgets::MeasurementEdit",
                       "Maximum sampling time, however noisy the samples are"),
     &Settings::maximumSampleSeconds}};

struct CountField {
    const char* name;
    const char* about;
    int Settings::*member;
};
constexpr CountField kCounts[] = {
    {"minimumSamples",
     QT_TRANSLATE_NOOP("qs::widgets::MeasurementEdit", "Minimum number of timed passes"),
     &Settings::minimumSamples},
    {"maximumSamples",
     QT_TRANSLATE_NOOP("qs::widgets::MeasurementEdit", "Maximum number of timed passes"),
     &Settings::maximumSamples}};

void shrink(QAbstractSpinBox* box)
{
    // The longest number that is allowed is far wider than those in use.
    box->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    box->setMinimumWidth(kNarrowest);
}

QLabel* quietLabel(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

}  // namespace

MeasurementEdit::MeasurementEdit(QWidget* parent) : QWidget(parent)
{
    build();
    setSettings({});
}

void MeasurementEdit::build()
{
    for (const SecondsField& field : kSeconds)
        m_seconds.push_back(
            addSeconds(QString::fromLatin1(field.name), tr(field.about),
                       [member = field.member](core::MeasurementSettings& settings, double value) {
                           settings.*member = value;
                       }));
    for (const CountField& field : kCounts)
        m_counts.push_back(
            addCount(QString::fromLatin1(field.name), tr(field.about), field.member));
    m_noise =
        addSeconds(QStringLiteral("maximumNoise"),
                   tr("Noise target: sampling ends when the standard deviation of the passes, "
                      "relative to their mean, is below it and there are enough passes"),
                   [](core::MeasurementSettings& settings, double value) {
                       settings.maximumRelativeNoise = value / kPercent;
                   });
    m_noise->setMaximum(kPercent);
    m_noise->setSuffix(tr(" %"));
    addStopping();
    addCache();
    addEnergy();
    m_message = newMessageLine(QStringLiteral("measurementMessage"), this);
    layOut();
    setFocusProxy(m_seconds.front());
}

void MeasurementEdit::layOut()
{
    struct Row {
        QString label;
        QWidget* least;
        QWidget* most;
    };
    const Row rows[] = {{tr("Warm-up"), m_seconds[0], m_seconds[1]},
                        {tr("Timing"), m_seconds[2], m_seconds[3]},
                        {tr("Passes"), m_counts[0], m_counts[1]},
                        {tr("Noise"), nullptr, m_noise},
                        {tr("Stop when"), m_stopping, nullptr},
                        {tr("L2 cache"), m_cache, nullptr},
                        {tr("Energy"), m_energy, nullptr}};
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setVerticalSpacing(2);
    grid->setColumnStretch(1, 1);
    grid->setColumnStretch(2, 1);
    int at = 0;
    grid->addWidget(quietLabel(tr("at least"), this), at, 1);
    grid->addWidget(quietLabel(tr("at most"), this), at, 2);
    for (const auto& [text, least, most] : rows) {
        auto* label = new QLabel(text, this);
        label->setTextFormat(Qt::PlainText);
        label->setBuddy(least != nullptr ? least : most);
        grid->addWidget(label, ++at, 0);
        if (least != nullptr)
            grid->addWidget(least, at, 1, 1, most == nullptr ? 2 : 1);
        if (most != nullptr)
            grid->addWidget(most, at, 2);
    }
    grid->addWidget(m_message, ++at, 0, 1, 3);
    addLimits(*grid, at + 1);
}

void MeasurementEdit::addStopping()
{
    m_stopping = new QComboBox(this);
    m_stopping->setObjectName(QStringLiteral("stoppingKind"));
    m_stopping->setAccessibleName(tr("When sampling ends"));
    m_stopping->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    const auto add = [this](core::StoppingKind kind, const QString& text, const QString& about) {
        m_stopping->addItem(text, static_cast<int>(kind));
        m_stopping->setItemData(m_stopping->count() - 1, plainTip(about), Qt::ToolTipRole);
    };
    add(core::StoppingKind::Noise, tr("Noise below target"),
        tr("Stop when the noise is below its target, or no longer falls"));
    add(core::StoppingKind::Count, tr("Number of passes"),
        tr("Stop after exactly the number of passes in “at most”"));
    add(core::StoppingKind::Time, tr("Time"),
        tr("Stop when the passes add up to the time in “at least”"));
    add(core::StoppingKind::Entropy, tr("Entropy converged"),
        tr("Stop when further passes add no new values (entropy). Suits coarse clocks"));
    m_stopping->setToolTip(tr("When sampling ends, within the limits below"));
    connect(m_stopping, &QComboBox::activated, this, [this](int index) {
        const auto kind = static_cast<core::StoppingKind>(m_stopping->itemData(index).toInt());
        edit([kind](core::MeasurementSettings& settings) {
            // Who has chosen a number keeps it.
            if (settings.maximumSamples == core::defaultMaximumSamples(settings.stopping))
                settings.maximumSamples = core::defaultMaximumSamples(kind);
            settings.stopping = kind;
        });
        setQuietly(m_counts.back(), m_settings.maximumSamples);
    });
}

void MeasurementEdit::addCache()
{
    m_cache = new QComboBox(this);
    m_cache->setObjectName(QStringLiteral("cacheState"));
    m_cache->setAccessibleName(tr("State of the L2 cache of the GPU before each pass"));
    m_cache->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_cache->addItem(tr("Warm"), static_cast<int>(core::CacheState::Warm));
    m_cache->addItem(tr("Cold"), static_cast<int>(core::CacheState::Cold));
    m_cache->setToolTip(tr("State of the L2 cache of a GPU before each pass. Warm: as left by the "
                           "previous pass, as in a loop. Cold: flushed before each pass, outside "
                           "the timed interval. No effect on a CPU"));
    connect(m_cache, &QComboBox::activated, this, [this](int index) {
        const auto cache = static_cast<core::CacheState>(m_cache->itemData(index).toInt());
        edit([cache](core::MeasurementSettings& settings) { settings.cache = cache; });
    });
}

void MeasurementEdit::addEnergy()
{
    m_energy = addSeconds(
        QStringLiteral("energySeconds"),
        tr("Run further passes after the samples for this long, for the energy counter of the GPU: "
           "energy per image needs at least 2 s, better 10 s. No effect on a CPU or with a cold L2 "
           "cache"),
        [](core::MeasurementSettings& settings, double value) { settings.energySeconds = value; });
    m_energy->setMaximum(core::kMostEnergySeconds);
    m_energy->setStepType(QAbstractSpinBox::DefaultStepType);
    m_energy->setSingleStep(core::kLeastEnergySeconds);
    m_energy->setSpecialValueText(tr("only while timing"));
}

void MeasurementEdit::addLimits(QGridLayout& grid, int row)
{
    grid.addWidget(quietLabel(tr("Time limit per phase"), this), row, 0, 1, 3);
    for (const PhaseLimit& limit : phaseLimits()) {
        const core::Phase phase = limit.phase;
        const std::string_view name = core::kPhaseNames.of(phase);
        QDoubleSpinBox* box =
            addSeconds(QStringLiteral("limit:") +
                           QString::fromLatin1(name.data(), static_cast<qsizetype>(name.size())),
                       limit.about, [phase](core::MeasurementSettings& settings, double value) {
                           if (value > 0.0)
                               settings.phaseLimitSeconds[phase] = value;
                           else
                               settings.phaseLimitSeconds.erase(phase);
                       });
        box->setDecimals(1);  // so that the least that is not "usual" is 0.1 s, as in files
        box->setSpecialValueText(tr("default"));
        m_limits[phase] = box;
        auto* label = new QLabel(phaseText(phase), this);
        label->setTextFormat(Qt::PlainText);
        label->setBuddy(box);
        grid.addWidget(label, ++row, 0);
        grid.addWidget(box, row, 1, 1, 2);
    }
}

QDoubleSpinBox* MeasurementEdit::addSeconds(const QString& name, const QString& about,
                                            const Change& change)
{
    auto* box = new QDoubleSpinBox(this);
    box->setObjectName(name);
    box->setRange(0.0, kLongestSeconds);
    box->setDecimals(2);
    box->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    box->setSuffix(tr(" s"));
    box->setToolTip(plainTip(about));
    box->setAccessibleName(about);
    shrink(box);
    connect(box, &QDoubleSpinBox::valueChanged, this, [this, change](double value) {
        edit([&](core::MeasurementSettings& settings) { change(settings, value); });
    });
    return box;
}

QSpinBox* MeasurementEdit::addCount(const QString& name, const QString& about,
                                    int core::MeasurementSettings::*member)
{
    auto* box = new QSpinBox(this);
    box->setObjectName(name);
    box->setRange(1, core::kMostTimedSamples);
    box->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    box->setToolTip(plainTip(about));
    box->setAccessibleName(about);
    shrink(box);
    connect(box, &QSpinBox::valueChanged, this, [this, member](int value) {
        edit([&](core::MeasurementSettings& settings) { settings.*member = value; });
    });
    return box;
}

// Only the member of the box that was touched changes: the others may have more digits than their
// boxes show.
void MeasurementEdit::edit(const std::function<void(core::MeasurementSettings&)>& change)
{
    change(m_settings);
    m_noise->setEnabled(m_settings.stopping == core::StoppingKind::Noise);
    check();
    if (m_problem.isEmpty())
        Q_EMIT settingsEdited(m_settings);
}

void MeasurementEdit::check()
{
    const QString before = m_problem;
    m_problem.clear();
    if (m_settings.minimumWarmupSeconds > m_settings.maximumWarmupSeconds)
        m_problem = tr("Minimum warm-up exceeds maximum warm-up");
    else if (m_settings.minimumSampleSeconds > m_settings.maximumSampleSeconds)
        m_problem = tr("Minimum timing exceeds maximum timing");
    else if (m_settings.minimumSamples > m_settings.maximumSamples)
        m_problem = tr("Minimum passes exceeds maximum passes");
    else if (m_settings.energySeconds > 0.0 && m_settings.energySeconds < core::kLeastEnergySeconds)
        m_problem = tr("Energy needs at least %1 s, or 0 for none")
                        .arg(QLocale().toString(core::kLeastEnergySeconds));
    showMessage(*m_message, m_problem);
    if (m_problem != before)
        Q_EMIT problemChanged();
}

void MeasurementEdit::setSettings(const core::MeasurementSettings& settings)
{
    m_settings = settings;
    for (std::size_t i = 0; i < m_seconds.size(); ++i)
        setQuietly(m_seconds[i], settings.*kSeconds[i].member);
    for (std::size_t i = 0; i < m_counts.size(); ++i)
        setQuietly(m_counts[i], settings.*kCounts[i].member);
    setQuietly(m_noise, settings.maximumRelativeNoise * kPercent);
    setQuietly(m_energy, settings.energySeconds);
    m_stopping->setCurrentIndex(m_stopping->findData(static_cast<int>(settings.stopping)));
    m_cache->setCurrentIndex(m_cache->findData(static_cast<int>(settings.cache)));
    m_noise->setEnabled(settings.stopping == core::StoppingKind::Noise);
    for (const auto& [phase, box] : m_limits) {
        const auto limit = settings.phaseLimitSeconds.find(phase);
        setQuietly(box, limit == settings.phaseLimitSeconds.end() ? 0.0 : limit->second);
    }
    check();
}

QString MeasurementEdit::summary(const core::MeasurementSettings& settings)
{
    const QLocale locale;
    const auto number = [&](double value) { return locale.toString(value, 'g', 4); };
    QString text;
    switch (settings.stopping) {
    case core::StoppingKind::Count:
        text = tr("%1 passes").arg(locale.toString(settings.maximumSamples));
        break;
    case core::StoppingKind::Time:
        text = tr("%1 s of samples").arg(number(settings.minimumSampleSeconds));
        break;
    case core::StoppingKind::Noise:
    case core::StoppingKind::Entropy:
        text =
            tr("%1–%2 s of samples")
                .arg(number(settings.minimumSampleSeconds), number(settings.maximumSampleSeconds));
        break;
    }
    if (settings.energySeconds > 0.0)
        text += QStringLiteral(" · ") + tr("%1 s for energy").arg(number(settings.energySeconds));
    if (!settings.phaseLimitSeconds.empty())
        text += QStringLiteral(" · ") + tr("custom limits");
    return text;
}

}  // namespace qs::widgets

#include "moc_measurement_edit.cpp"
