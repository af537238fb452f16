#include "widgets/compare/picture_set.h"

#include "widgets/background/in_background.h"

#include <algorithm>
#include <utility>

namespace qs::widgets {

namespace {

constexpr std::size_t kMaxCachedRequests = 24;
constexpr std::size_t kMaxCachedBytes = std::size_t{256} << 20U;

}  // namespace

PictureSet::PictureSet(QObject* parent, Loader loader)
    : QObject(parent),
      m_loader(std::move(loader)),
      m_newestJob(std::make_shared<std::atomic<quint64>>(0))
{
    // Two: a slow load that nobody waits for any more must not hold up the next.
    m_pool.setMaxThreadCount(2);
}

PictureSet::~PictureSet()
{
    ++*m_newestJob;
    m_pool.waitForDone();
}

void PictureSet::request(const PictureRequest& request)
{
    const quint64 job = ++*m_newestJob;
    const auto cached = std::find_if(m_cache.begin(), m_cache.end(), [&](const Loaded& entry) {
        return entry->request == request;
    });
    if (cached != m_cache.end()) {
        m_cache.splice(m_cache.begin(), m_cache, cached);
        publish(m_cache.front());
        return;
    }
    setLoading(true);
    const quint64 generation = m_generation;
    inBackground(
        m_pool, this,
        [request, job, newest = m_newestJob, loader = m_loader, known = m_current]() -> Loaded {
            if (newest->load() != job)
                return nullptr;
            return std::make_shared<const LoadedPictures>(loader(request, known.get()));
        },
        [this, job, generation](const Loaded& loaded) { receive(job, generation, loaded); });
}

void PictureSet::clear()
{
    ++*m_newestJob;
    ++m_generation;
    m_cache.clear();
    m_current.reset();
    setLoading(false);
}

void PictureSet::receive(quint64 job, quint64 generation, const Loaded& loaded)
{
    if (generation != m_generation)
        return;
    const bool newest = job == m_newestJob->load();
    if (loaded == nullptr) {
        if (newest)
            setLoading(false);  // there was not memory enough
        return;
    }
    if (loaded->complete())
        keep(loaded);
    if (newest)
        publish(loaded);
}

void PictureSet::publish(const Loaded& loaded)
{
    m_current = loaded;
    setLoading(false);
    Q_EMIT this->loaded();
}

void PictureSet::keep(const Loaded& loaded)
{
    m_cache.push_front(loaded);
    std::size_t bytes = 0;
    auto end = m_cache.begin();
    std::size_t count = 0;
    // The newest stays however big it is.
    while (end != m_cache.end() && count < kMaxCachedRequests) {
        bytes += (*end)->bytes();
        if (count > 0 && bytes > kMaxCachedBytes)
            break;
        ++count;
        ++end;
    }
    m_cache.erase(end, m_cache.end());
}

void PictureSet::setLoading(bool loading)
{
    if (loading == m_loading)
        return;
    m_loading = loading;
    Q_EMIT loadingChanged();
}

}  // namespace qs::widgets

#include "moc_picture_set.cpp"
