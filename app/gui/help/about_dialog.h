#pragma once

#include "widgets/plan/engine_state.h"

#include <QDialog>
#include <QString>

#include <vector>

class QLabel;

namespace qs::app {

class EngineProbe;

struct AboutFacts {
    QString version;  // of this program
    QString commit;   // empty: the build does not know it
    widgets::EngineState engine;
};

struct AboutLine {
    const char* id;
    QString name;
    QString value;
};

// What a bug report needs; always the same lines.
[[nodiscard]] std::vector<AboutLine> aboutLines(const AboutFacts& facts);

// What runs here, line by line, and a button that copies the lines.
class AboutDialog final : public QDialog
{
    Q_OBJECT

public:
    explicit AboutDialog(const AboutFacts& facts, QWidget* parent = nullptr);

    // The engine may answer while the box is open.
    void setFacts(const AboutFacts& facts);

private:
    void addRows(const std::vector<AboutLine>& lines);
    void copy();

    AboutFacts m_facts;
    std::vector<QLabel*> m_values;  // one for each line
    QLabel* m_copied = nullptr;
};

// Opens it over the window; it follows the engine.
void showAbout(const EngineProbe& engine, const QString& commit, QWidget& window);

}  // namespace qs::app
