"""ResNet of basic blocks in plain PyTorch, independent of the product: torchvision's names, its order of operations.

`slip` makes one of the usual mistakes, to show that a comparison would see it: "eps", "norm_order" (batch norm behind
the ReLU), "stride_place" (on the second convolution of a block), "padding" (none in the stem).
"""
import torch
import torch.nn.functional as F

SLIPS = ("eps", "norm_order", "stride_place", "padding")


def shapes(width, blocks, classes):
    """Names and shapes of the state dict."""
    found = {"conv1.weight": (width, 3, 7, 7)}

    def norm(name, channels):
        for leaf in ("weight", "bias", "running_mean", "running_var"):
            found[f"{name}.{leaf}"] = (channels,)
        found[f"{name}.num_batches_tracked"] = ()

    norm("bn1", width)
    channels = width
    for layer, count in enumerate(blocks):
        out = width * 2 ** layer
        for block in range(count):
            path = f"layer{layer + 1}.{block}"
            found[f"{path}.conv1.weight"] = (out, channels, 3, 3)
            norm(f"{path}.bn1", out)
            found[f"{path}.conv2.weight"] = (out, out, 3, 3)
            norm(f"{path}.bn2", out)
            if block == 0 and (layer > 0 or channels != out):
                found[f"{path}.downsample.0.weight"] = (out, channels, 1, 1)
                norm(f"{path}.downsample.1", out)
            channels = out
    found["fc.weight"], found["fc.bias"] = (classes, channels), (classes,)
    return found


def forward(state, blocks, image, slip=None):
    eps = 1e-3 if slip == "eps" else 1e-5

    def norm(x, name):
        return F.batch_norm(x, state[f"{name}.running_mean"], state[f"{name}.running_var"], state[f"{name}.weight"],
                            state[f"{name}.bias"], False, 0.0, eps)

    def normed(x, name, relu):
        if slip == "norm_order" and relu:
            return norm(F.relu(x), name)
        return F.relu(norm(x, name)) if relu else norm(x, name)

    def block(x, path, stride):
        first, second = (1, stride) if slip == "stride_place" else (stride, 1)
        y = normed(F.conv2d(x, state[f"{path}.conv1.weight"], stride=first, padding=1), f"{path}.bn1", True)
        y = normed(F.conv2d(y, state[f"{path}.conv2.weight"], stride=second, padding=1), f"{path}.bn2", False)
        if f"{path}.downsample.0.weight" in state:
            x = norm(F.conv2d(x, state[f"{path}.downsample.0.weight"], stride=stride), f"{path}.downsample.1")
        return F.relu(y + x)

    x = F.conv2d(image, state["conv1.weight"], stride=2, padding=0 if slip == "padding" else 3)
    x = F.max_pool2d(normed(x, "bn1", True), 3, 2, 1)
    for layer, count in enumerate(blocks):
        for index in range(count):
            x = block(x, f"layer{layer + 1}.{index}", 2 if layer > 0 and index == 0 else 1)
    return F.linear(F.adaptive_avg_pool2d(x, 1).flatten(1), state["fc.weight"], state["fc.bias"])
