#pragma once

#include "core/sweep/preset.h"
#include "widgets/background/latest_task.h"

#include <QImage>
#include <QStringList>
#include <QWidget>

#include <memory>
#include <stop_token>
#include <vector>

namespace qs::core {
class InputSequence;
}

namespace qs::widgets {

// The first pictures that a run would take from a folder or a file, small and square as models get
// them, and a line that names the files that it would leave out. They are read one after the other
// by a worker, and only once the strip is seen; its height is the same whatever comes.
class PictureStrip final : public QWidget
{
    Q_OBJECT

public:
    enum class State {
        Waiting,  // not seen yet, or nothing to read
        Reading,
        Shown,
        NoneUsable,
    };

    explicit PictureStrip(QWidget* parent = nullptr);
    ~PictureStrip() override;

    // Reads what differs from before; shipped pictures are not shown.
    void setPictures(const core::PictureSettings& pictures);
    // Whatever is set next is read again.
    void forget();

    [[nodiscard]] State state() const { return m_state; }
    [[nodiscard]] bool isBusy() const { return m_state == State::Reading; }
    // Of the pictures that are there so far, at most as many as the run takes.
    [[nodiscard]] QStringList names() const;
    // The files that were left out so far.
    [[nodiscard]] const QStringList& leftOut() const { return m_leftOut; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    struct Thumbnail {
        QString name;
        QImage image;
    };
    // What a worker answers: the next picture, or the end.
    struct Step {
        std::shared_ptr<core::InputSequence> sequence;
        Thumbnail thumbnail;
        bool ended = true;
        QString problem;
    };

    [[nodiscard]] static Step nextStep(std::shared_ptr<core::InputSequence> sequence,
                                       const std::stop_token& stop);
    [[nodiscard]] static Step firstStep(const core::PictureSettings& pictures,
                                        const std::stop_token& stop);
    void read();
    void receive(const Step& step);
    void clear();
    [[nodiscard]] int shownCount() const;
    // The place of a thumbnail; those that have none are counted in the last place.
    [[nodiscard]] QRect placeOf(int number) const;
    [[nodiscard]] int places() const;
    [[nodiscard]] QString line() const;
    [[nodiscard]] QString tipAt(QPoint position) const;

    core::PictureSettings m_pictures;
    State m_state = State::Waiting;
    std::vector<Thumbnail> m_thumbnails;
    QStringList m_leftOut;
    QStringList m_reasons;  // "file.png: why it was left out", or why there is nothing
    std::stop_source m_stop;
    LatestTask<Step> m_reading;
};

}  // namespace qs::widgets
