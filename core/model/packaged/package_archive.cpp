#include "core/model/packaged/package_archive.h"

#include "core/base/clean_text.h"
#include "core/base/excerpt.h"
#include "core/base/format.h"
#include "core/base/json.h"
#include "core/base/text_parts.h"
#include "core/model/packaged/elf_library.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <string_view>

namespace qs::core::packaged {

namespace {

constexpr std::string_view kFolder = "data/aotinductor/";
constexpr std::string_view kExportedModel = "/models/model.json";
constexpr std::size_t kMostFiles = 4096;  // of one model
constexpr std::uint64_t kMostWordBytes = std::uint64_t{1} << 16U;

constexpr std::string_view kCompileAnew =
    "; compile it with torch._inductor.aoti_compile_and_package(torch.export.export(model, args), "
    "package_path=\"model.pt2\")";

// The part behind "data/aotinductor/": "model/kernel.cubin"; empty elsewhere.
std::string_view insideOf(std::string_view name)
{
    const auto at = name.find(kFolder);
    const bool isFolder = at != std::string_view::npos && (at == 0 || name[at - 1] == '/');
    return isFolder ? name.substr(at + kFolder.size()) : std::string_view();
}

class PackageReader final
{
public:
    explicit PackageReader(const ZipArchive& zip) : m_zip(zip)
    {
        m_package.path = zip.path();
        m_package.fileBytes = zip.fileBytes();
    }

    Result<PackageArchive> read()
    {
        QS_RETURN_IF_ERROR(findModel());
        QS_RETURN_IF_ERROR(sortFiles());
        QS_RETURN_IF_ERROR(checkFiles());
        QS_RETURN_IF_ERROR(readWords());
        return std::move(m_package);
    }

private:
    [[nodiscard]] Error refuse(const std::string& why,
                               ErrorCode code = ErrorCode::Unsupported) const
    {
        return {code, m_zip.path().string() + ": " + why};
    }

    Status findModel()
    {
        std::set<std::string_view> models;
        for (const ZipEntry& entry : m_zip.entries()) {
            const std::string_view inside = insideOf(entry.name);
            if (!inside.empty())
                models.insert(inside.substr(0, inside.find('/')));
            // Weights that torch keeps beside a library would have to be given to it.
            if (entry.bytes > 0 && !entry.name.ends_with(".json") &&
                (entry.name.find("/data/weights/") != std::string::npos ||
                 entry.name.find("/data/constants/") != std::string::npos))
                return refuse("keeps its weights beside its library, where it does not find them "
                              "by itself" +
                              std::string(kCompileAnew));
        }
        if (models.empty())
            return refuse("holds no model below " + std::string(kFolder), ErrorCode::Format);
        if (models.size() > 1) {
            std::string names;
            for (const std::string_view each : models)
                names += (names.empty() ? "" : ", ") + cleanLine(excerpt(each));
            return refuse("holds " + std::to_string(models.size()) + " models (" + excerpt(names) +
                          "); package each of them on its own");
        }
        m_package.model = *models.begin();
        return {};
    }

    Status sortFiles()
    {
        std::size_t files = 0;
        for (const ZipEntry& entry : m_zip.entries()) {
            const std::string_view inside = insideOf(entry.name);
            if (inside.empty() || inside.ends_with('/'))
                continue;
            const std::string_view name =
                inside.substr(std::min(m_package.model.size() + 1, inside.size()));
            if (name.empty() || name.find('/') != std::string_view::npos)
                return refuse("has the file " + cleanLine(excerpt(entry.name)) +
                                  ", which is not in the folder of its model",
                              ErrorCode::Format);
            if (++files > kMostFiles)
                return refuse("has more than " + std::to_string(kMostFiles) + " files",
                              ErrorCode::Format);
            sort(entry, name);
        }
        return {};
    }

    void sort(const ZipEntry& entry, std::string_view name)
    {
        if (name.ends_with(".so"))
            m_libraries.push_back(entry);
        else if (name.ends_with("_metadata.json"))
            m_words.push_back(entry);
        else if (name.ends_with(".cpp") || name.ends_with(".cu") || name.ends_with(".h"))
            ++m_package.sources;
        else
            m_package.besides.push_back(entry);
    }

    Status checkFiles()
    {
        if (m_libraries.empty() && m_package.sources > 0)
            return refuse("holds the source of a model and no library: it would have to be "
                          "compiled here" +
                          std::string(kCompileAnew));
        if (m_libraries.empty())
            return refuse("holds no library (.so)", ErrorCode::Format);
        if (m_libraries.size() > 1)
            return refuse("holds " + std::to_string(m_libraries.size()) +
                          " libraries where one belongs");
        m_package.library = m_libraries.front();
        for (const ZipEntry& each : m_package.besides) {
            if (each.deflated)
                return refuse("has a compressed file, " + cleanLine(excerpt(each.name)) +
                                  ", as torch writes none",
                              ErrorCode::Format);
        }
        const std::string name = cleanLine(excerpt(fileNameOf(m_package.library)));
        if (m_package.library.deflated)
            return refuse("its library " + name + " is compressed, as torch writes none",
                          ErrorCode::Format);
        QS_TRY(const std::string header,
               m_zip.readPart(m_package.library, 0,
                              std::min<std::uint64_t>(kElfHeaderBytes, m_package.library.bytes)));
        if (const Status status = checkLibrary(header, m_package.library.bytes); !status.ok())
            return refuse("its library " + name + " " + status.error().message);
        return {};
    }

    // What torch writes beside a library; kernels have words of their own that say the same.
    Status readWords()
    {
        const auto ofLibrary =
            std::find_if(m_words.begin(), m_words.end(), [](const ZipEntry& each) {
                return each.name.ends_with(".wrapper_metadata.json");
            });
        if (m_words.empty())
            return refuse("does not say which device it is for", ErrorCode::Format);
        const ZipEntry& entry = ofLibrary == m_words.end() ? m_words.front() : *ofLibrary;
        QS_TRY(const std::string text, m_zip.read(entry, kMostWordBytes));
        QS_TRY(const Json json,
               parseJson(text, m_zip.path().string() + ": " + cleanLine(excerpt(entry.name))));
        const auto word = [&](const char* key) {
            const auto found = json.is_object() ? json.find(key) : json.end();
            return found != json.end() && found->is_string()
                       ? cleanLine(excerpt(found->get<std::string>()))
                       : std::string();
        };
        const std::string device = word("AOTI_DEVICE_KEY");
        if (device != "cpu" && device != "cuda")
            return refuse(device.empty() ? "does not say which device it is for"
                                         : "is for " + device + ", which is not supported here");
        m_package.device = device == "cuda" ? ProgramDevice::Cuda : ProgramDevice::Cpu;
        m_package.cpuInstructions = word("AOTI_CPU_ISA");
        const std::string capability = word("AOTI_COMPUTE_CAPABILITY");
        const bool isNumber = capability.size() >= 2 && capability.size() <= 4 &&
                              std::all_of(capability.begin(), capability.end(),
                                          [](char each) { return each >= '0' && each <= '9'; });
        if (isNumber)
            m_package.capability =
                capability.substr(0, capability.size() - 1) + "." + capability.back();
        return {};
    }

    const ZipArchive& m_zip;
    PackageArchive m_package;
    std::vector<ZipEntry> m_libraries;
    std::vector<ZipEntry> m_words;
};

}  // namespace

std::string fileNameOf(const ZipEntry& entry)
{
    return entry.name.substr(entry.name.rfind('/') + 1);
}

std::string PackageArchive::text() const
{
    std::string text = "a library of " + formatBytes(static_cast<double>(library.bytes)) + " for ";
    if (device == ProgramDevice::Cuda)
        text += "NVIDIA GPUs" +
                (capability.empty() ? std::string() : " of compute capability " + capability);
    else
        text +=
            "the CPU" + (cpuInstructions.empty() ? std::string() : " (" + cpuInstructions + ")");
    if (!besides.empty())
        text += ", " + counted(besides.size(), "file") + " beside it";
    return text;
}

bool isPackage(const std::filesystem::path& path)
{
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored) || !listsEntry(path, kFolder))
        return false;
    const auto zip = ZipArchive::open(path);
    if (!zip.ok())
        return false;
    const auto any = [&](const auto& condition) {
        return std::any_of(zip.value().entries().begin(), zip.value().entries().end(), condition);
    };
    return any([](const ZipEntry& entry) { return !insideOf(entry.name).empty(); }) &&
           !any([](const ZipEntry& entry) { return entry.name.ends_with(kExportedModel); });
}

Result<PackageArchive> readPackage(const ZipArchive& zip)
{
    return PackageReader(zip).read();
}

Result<PackageArchive> readPackage(const std::filesystem::path& path)
{
    QS_TRY(const ZipArchive zip, ZipArchive::open(path));
    return readPackage(zip);
}

}  // namespace qs::core::packaged
