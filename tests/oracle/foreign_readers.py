"""Readers of quantized checkpoints by those whose formats they are: torchao and compressed-tensors.

packaging/setup.sh puts both into .venv-oracle for the test script, which insists on them; elsewhere tests that need a
missing one are skipped.
"""
import importlib
import os
import sys
import types
import unittest
from pathlib import Path

ORACLES = Path(__file__).resolve().parents[2] / ".venv-oracle"


def needed(name):
    """The module, from .venv-oracle or wherever Python finds it."""
    if str(ORACLES) not in sys.path:
        sys.path.append(str(ORACLES))  # what .venv has wins
    try:
        return importlib.import_module(name)
    except ImportError as error:
        if os.environ.get("QS_REQUIRE_ORACLES"):
            raise
        raise unittest.SkipTest(f"no {name} ({error}): packaging/test.sh installs it into {ORACLES}") from error


class _Unused(types.ModuleType):
    """Has every name, and nothing behind it."""
    __path__ = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {})


def _without_transformers():
    """compressed-tensors imports it for whole models of Hugging Face; nothing of it is used to unpack weights."""
    for name in ("transformers", "transformers.file_utils", "transformers.utils"):
        sys.modules.setdefault(name, _Unused(name))


def torchao_state(tensors, metadata):
    """The state of a module, by name; weights are torchao's tensors."""
    support = needed("torchao.prototype.safetensors.safetensors_support")
    state, left = support.unflatten_tensor_state_dict(tensors, metadata)
    assert not left, left
    return state


def decompressed(tensors, config):
    """Weights by the names of their modules, and the arguments that each was packed by."""
    _without_transformers()
    quantization = needed("compressed_tensors.quantization")
    compressors = needed("compressed_tensors.compressors")
    parsed = quantization.QuantizationConfig.model_validate(config)
    schemes = {target: scheme for scheme in parsed.config_groups.values() for target in scheme.targets}
    compressor = compressors.BaseCompressor.load_from_registry(parsed.format, config=parsed)
    weights = {module: data["weight"] for module, data in compressor.decompress(tensors, schemes)}
    return weights, {module: schemes[module].weights for module in weights}
