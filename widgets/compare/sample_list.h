#pragma once

#include "widgets/compare/value_texts.h"

#include <QTableView>

namespace qs::widgets {

// The samples of a cell, the farthest from the reference first. The arrow keys go through them;
// keys that mean nothing here go on to the comparison around it.
class SampleList final : public QTableView
{
    Q_OBJECT

public:
    explicit SampleList(QWidget* parent = nullptr);

    void setSamples(const core::RunData& data, core::OutputKind kind,
                    const std::vector<ComparedSample>& samples);
    // Marks its row; none if it is not in the list.
    void showSample(int sample);

    [[nodiscard]] QSize sizeHint() const override;

Q_SIGNALS:
    void sampleChosen(int sample);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

private:
    ValueTableModel* m_rows;
    std::vector<int> m_samples;  // of the rows
    bool m_showing = false;      // nobody has chosen what changes now
};

}  // namespace qs::widgets
