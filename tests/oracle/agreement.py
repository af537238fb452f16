"""Oracle of the agreement figures of core/stats: PyTorch and NumPy in double precision, on inputs of float32.

Run as a program it writes tests/golden/stats/agreement.json anew; test_agreement.py checks that it still would.
"""
import json
import pathlib

import numpy
import torch

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden" / "stats" / "agreement.json"


def numbers(seed, *shape, scale=1.0):
    values = numpy.random.default_rng(seed).standard_normal(shape) * scale
    return torch.from_numpy(values.astype(numpy.float32))


def logits_case(name, values, reference):
    a, b = values.double(), reference.double()
    divergence = torch.nn.functional.kl_div(torch.log_softmax(a, -1), torch.log_softmax(b, -1), reduction="none",
                                            log_target=True).sum(-1)
    return {"name": name, "vocabulary": values.shape[-1], "values": values.flatten().tolist(),
            "reference": reference.flatten().tolist(), "positions": len(values),
            "max_absolute": (a - b).abs().max().item(), "mean_absolute": (a - b).abs().mean().item(),
            "mean_divergence": divergence.mean().item(), "max_divergence": divergence.max().item(),
            "worst_position": int(divergence.argmax())}


def vectors_case(name, values, reference):
    a, b = values.double(), reference.double()
    cosine = torch.nn.functional.cosine_similarity(a, b, dim=-1, eps=0.0)
    relative = torch.linalg.vector_norm(a - b, dim=-1) / torch.linalg.vector_norm(b, dim=-1)
    flat = numpy.asarray(a.flatten()), numpy.asarray(b.flatten())
    return {"name": name, "width": values.shape[-1], "values": values.flatten().tolist(),
            "reference": reference.flatten().tolist(), "mean_cosine": cosine.mean().item(),
            "worst_cosine": cosine.min().item(), "worst_vector": int(cosine.argmin()),
            "mean_relative": relative.mean().item(), "worst_relative": relative.max().item(),
            "all_max_absolute": float(numpy.abs(flat[0] - flat[1]).max()),
            "all_mean_absolute": float(numpy.abs(flat[0] - flat[1]).mean()),
            "all_cosine": float(flat[0] @ flat[1] / numpy.linalg.norm(flat[0]) / numpy.linalg.norm(flat[1])),
            "all_relative": float(numpy.linalg.norm(flat[0] - flat[1]) / numpy.linalg.norm(flat[1]))}


def classes_case(name, values, reference):
    """Ties go to the smaller class: a stable sort by falling score."""
    def order(scores):
        return torch.sort(scores, dim=-1, descending=True, stable=True).indices
    count = min(5, values.shape[-1])
    found, wanted = order(values)[:, :count], order(reference)[:, :count]
    inside = (found[:, :, None] == wanted[:, None, :]).any(1)
    return {"name": name, "classes": values.shape[-1], "values": values.flatten().tolist(),
            "reference": reference.flatten().tolist(),
            "top1": (found[:, 0] == wanted[:, 0]).double().mean().item(),
            "top5": inside[:, 0].double().mean().item(), "top5_overlap": inside.double().mean().item()}


def golden():
    wide = numbers(1, 6, 17, scale=4.0)
    embeddings = numbers(3, 5, 12)
    scores = numbers(5, 40, 10)
    ties = torch.round(numbers(6, 40, 7))
    return {
        "logits": [logits_case("noise", wide + numbers(2, 6, 17, scale=0.3), wide),
                   logits_case("far from zero", wide + 900.0, wide - 900.0),
                   logits_case("opposite", -wide, wide)],
        "vectors": [vectors_case("noise", embeddings + numbers(4, 5, 12, scale=0.05), embeddings),
                    vectors_case("scaled", embeddings * 3.0, embeddings),
                    vectors_case("small and large", numbers(7, 4, 9, scale=1e-20), numbers(8, 4, 9, scale=1e15))],
        "classes": [classes_case("noise", scores + numbers(9, 40, 10, scale=0.5), scores),
                    classes_case("ties", torch.round(ties + numbers(10, 40, 7)), ties),
                    classes_case("three classes", numbers(11, 20, 3), numbers(12, 20, 3))],
    }


if __name__ == "__main__":
    # One case a line: what changed can be seen in a difference.
    groups = (f' "{name}": [\n  ' + ",\n  ".join(json.dumps(case) for case in cases) + "\n ]"
              for name, cases in golden().items())
    GOLDEN.write_text("{\n" + ",\n".join(groups) + "\n}\n")
