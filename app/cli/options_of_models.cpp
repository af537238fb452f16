#include "app/cli/command_options.h"

#include <CLI/CLI.hpp>

#include <string>

namespace qs::app {

void addFeeding(CLI::App& sub, FeedingOptions& feeding)
{
    sub.add_option(
           "--input", feeding.inputs,
           "What an input is fed with: x=images:range=0..1:mean=0.485,0.456,0.406:"
           "std=0.229,0.224,0.225:channels=rgb:layout=nchw, x=uniform:range=0..1, "
           "x=normal:mean=0:std=1, x=file:inputs.npy, x=file:inputs.safetensors#x, "
           "tokens=file:ids.txt, tokens=text:prompts.txt:tokenizer=tokenizer.json:length=own")
        ->allow_extra_args(false);
    sub.add_option("--weights", feeding.weights,
                   "Whether the weights of an exported program are trained")
        ->check(CLI::IsMember({"trained", "untrained"}));
    sub.add_option("--stage", feeding.stages,
                   "A stage of an exported program and the module it begins with, in the order of "
                   "the program: encoder=model.encoder")
        ->allow_extra_args(false);
    sub.add_option("--output", feeding.output,
                   "The output that is judged, and what it holds: output_0, output_0:classes "
                   "(image, logits, tokens, classes, embedding, tensor)");
    sub.add_option("--labels", feeding.labels,
                   "File with the class of each sample, a whole number from 0 a line: of trained "
                   "weights embeddings then have a k-NN accuracy, and classes an accuracy");
}

void addCalibrationSet(CLI::App& sub, CalibrationOptions& calibration)
{
    sub.add_option("--calibration-images", calibration.images,
                   "Folder or file with the images (PNG, JPEG) that precisions with set=own are "
                   "calibrated on");
    sub.add_option("--calibration-input", calibration.inputs,
                   "What an input is fed with for that: tokens=text:FILE:tokenizer=tokenizer.json, "
                   "x=file:samples.npy")
        ->allow_extra_args(false);
}

void addInspect(CLI::App& app, InspectCommand& inspect)
{
    CLI::App* sub = app.add_subcommand(
        "inspect", "Show the stages, parameters and layers of a model without running it");
    sub->add_option(
           "model", inspect.model,
           "demo, FAMILY:VARIANT (vitok:350M-f16x64, resnet:18/10, llama:tiny …), a folder, a "
           ".safetensors file or a .pt2 of torch.export.save")
        ->required();
    sub->add_option("--precision", inspect.precision, "Scheme, or encoder/decoder: bf16/int8dq");
    sub->add_option("--layers", inspect.layers, "Layer filter: all, mlp, attention, regex:EXPR …");
    sub->add_option("--size", inspect.sizes,
                    "A size of the model: image_size=512, prompt_tokens=128 …");
    sub->add_option("--batch", inspect.batch, "Samples per pass")->check(CLI::Range(1, 65536));
    addFeeding(*sub, inspect.feeding);
    sub->add_option("--seed", inspect.seed, "Seed of generated weights");
    sub->add_flag("--table", inspect.allLayers, "List every layer");
    sub->add_flag("--json", inspect.json, "Print everything as JSON, with every layer");
}

void addExportExample(CLI::App& app, ExportExampleCommand& example)
{
    CLI::App* sub = app.add_subcommand(
        "export-example", "Print the three lines of Python that save a model for QuantScope");
    sub->add_option("--model", example.model, "Name of the model in Python (default: model)");
    sub->add_option("--argument", example.input,
                    "Name of the argument of its forward(), which is the name of an example tensor "
                    "as well (default: x)");
    sub->add_flag("--checkpoint", example.checkpoint,
                  "Save a .pth with a state_dict as safetensors instead");
}

void addQuantize(CLI::App& app, QuantizeCommand& quantize)
{
    CLI::App* sub = app.add_subcommand("quantize", "Write a model with quantized weights");
    sub->add_option("model", quantize.model,
                    "demo, FAMILY:VARIANT, a folder or a .safetensors file")
        ->required();
    sub->add_option("--precision", quantize.precision, "Scheme, or encoder/decoder: bf16/int8wo")
        ->required();
    sub->add_option("--out", quantize.out, "Folder to create")->required();
    sub->add_option("--format", quantize.format,
                    "quantscope (all precisions), compressed-tensors (pack-quantized: gptq-int4-N, "
                    "int8wo), torchao (int8dq, int8wo, float8…) or pt2 (torch.export, one file per "
                    "stage)")
        ->check(CLI::IsMember({"quantscope", "compressed-tensors", "torchao", "pt2"}));
    sub->add_option("--layers", quantize.layers, "Layer filter: all, mlp, only:LAYERS …");
    sub->add_option("--device", quantize.device, "Device that quantizes: cpu, cuda:0 …");
    sub->add_option("--size", quantize.sizes,
                    "A size of the model that calibration runs at: image_size=512, "
                    "prompt_tokens=128 …");
    addFeeding(*sub, quantize.feeding);
    addCalibrationSet(*sub, quantize.calibration);
    sub->add_option("--seed", quantize.seed, "Seed of generated weights");
}

void addConvert(CLI::App& app, ConvertCommand& convert)
{
    CLI::App* sub = app.add_subcommand(
        "convert",
        "Convert a TorchScript file to a .pt2, or try a package of AOTInductor (both run the "
        "file once, if you trust it), or a Llama of Hugging Face to fused layers");
    sub->add_option("program", convert.program,
                    "File of torch.jit.save or of aoti_compile_and_package")
        ->required();
    sub->add_option("--input", convert.inputs,
                    "Type and sizes of an input, in the order of forward(): "
                    "x=float32[batch,3,224,224], int64[batch,128]")
        ->allow_extra_args(false);
    sub->add_option("--out", convert.out,
                    "File to write; default: beside it, ending in .pt2 (of a package, in "
                    ".package.json)");
    sub->add_flag("--replace", convert.replace, "Replace the file if it exists");
    sub->add_option("--trust", convert.trust, "SHA-256 of the file: run it without asking");
    sub->add_flag("--remember", convert.remember, "Do not ask again for this file");
}

}  // namespace qs::app
