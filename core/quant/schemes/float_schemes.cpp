#include "core/model/packaged_program.h"
#include "core/quant/schemes/built_in.h"
#include "core/quant/schemes/quantized_weight.h"

// Schemes that keep weights as they are: numbers of 32 and 16 bits.
namespace qs::core {

namespace {

// y = bf16(x) · bf16(weight)ᵀ + bf16(bias), widened again.
ValueId linearAutocast(const Scheme&, GraphBuilder& b, const LayerParts& parts,
                       const DeviceDescription&, std::vector<Note>&)
{
    const ValueId x = b.cast(parts.x, DType::BFloat16);
    const ValueId weight = b.cast(parts.stored.front(), DType::BFloat16);
    const ValueId bias = parts.bias < 0 ? -1 : b.cast(parts.bias, DType::BFloat16);
    return b.cast(b.linear(x, weight, bias), b.type(parts.x).dtype);
}

ValueId convolveAutocast(const Scheme& scheme, GraphBuilder& b, const ConvolutionParts& parts,
                         const DeviceDescription&, std::vector<Note>&)
{
    return convolve(scheme, b, parts, parts.stored.front());
}

}  // namespace

std::vector<SchemeSpec> floatSchemes()
{
    return {
        {.name = "fp32",
         .description = "32-bit floats for weights and activations; products in float32; for "
                        "seeing how far bf16 itself is from exact",
         .workingType = DType::Float32,
         .peak = PeakClass::Bits32,
         .tone = 7},
        {.name = "tf32",
         .description = "32-bit floats for weights and activations; matrix products in TF32, on "
                        "NVIDIA GPUs since Ampere; for speeding up a 32-bit model without "
                        "changing what is stored",
         .workingType = DType::Float32,
         .allowTf32 = true,
         .needs = {.what = "TF32 products",
                   .cpu = false,
                   .computeMajor = 8,
                   .generations = "Ampere or newer"},
         .peak = PeakClass::Tf32,
         .tone = 8},
        {.name = "fp16",
         .description = "16-bit IEEE floats for weights and activations; products in float16; "
                        "for models that need finer rounding than bf16 and have no values above "
                        "65504",
         .workingType = DType::Float16,
         .tone = 6},
        {.name = "bf16",
         .description = "bfloat16 for weights and activations; products in bfloat16; the quality "
                        "reference that all others are compared with",
         .workingType = DType::BFloat16,
         .tone = 0},
        {.name = "bf16-autocast",
         .description = "32-bit floats for weights; matched layers and attention in bfloat16, "
                        "cast anew in every pass; for comparing with torch.autocast, not for "
                        "saving memory",
         .workingType = DType::Float32,
         .outside = "fp32",
         .attentionType = DType::BFloat16,
         .tone = 9,
         .linear = linearAutocast,
         .convolution = convolveAutocast},
        {.name = std::string(kAsPackaged),
         .description = "Weights as in the compiled package; the program as it was compiled, "
                        "nothing is rewritten; for measuring a package beside other models",
         .workingType = DType::Float32,
         .tone = 15,
         .ofPrograms = true},
    };
}

}  // namespace qs::core
