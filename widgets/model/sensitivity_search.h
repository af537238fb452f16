#pragma once

#include "core/sweep/gate.h"
#include "widgets/model/layer_search_state.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;

namespace qs::widgets {

// Asks for a limit on quality and for the search of the fewest parts that have to stay unquantized
// to meet it, and says how far that is.
class SensitivitySearch final : public QWidget
{
    Q_OBJECT

public:
    explicit SensitivitySearch(QWidget* parent = nullptr);

    // Whether cells can be added to the run in view now.
    void setPossible(bool possible);
    void showState(const LayerSearchState& state);

Q_SIGNALS:
    void wanted(const qs::core::Gate& limit);
    void stopWanted();

private:
    void begin();
    void updateButtons();

    QLineEdit* m_limit = nullptr;
    QPushButton* m_find = nullptr;
    QPushButton* m_stop = nullptr;
    QLabel* m_text = nullptr;
    bool m_possible = false;
    bool m_searching = false;
};

}  // namespace qs::widgets
