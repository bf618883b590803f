"""Every figure of the catalog has a source and a date; models' sizes follow from shapes; files are read strictly."""

import json
from pathlib import Path
from typing import Any

import pytest
from cattrs import Converter

from engine import catalog
from engine.catalog import read
from engine.catalog.config import MAX_BYTES
from engine.catalog.gpu import GpuFigures
from engine.catalog.read import model_shape
from engine.cli.main import main
from engine.errors import EngineError
from engine.physics.kv_cache import kv_bytes_per_token
from engine.physics.roofline import Deployment

DATA = Path(read.__file__).parent / "data"

# parameters as Hugging Face states them for the published checkpoints; KiB of KV per token at 16 bits
PUBLISHED = {
    "llama-2-7b": (6_738_415_616, 512),
    "llama-2-70b": (68_976_648_192, 320),
    "llama-3-8b": (8_030_261_248, 128),
    "llama-3.1-8b": (8_030_261_248, 128),
    "llama-3.1-70b": (70_553_706_496, 320),
    "llama-3.2-1b": (1_235_814_400, 32),
    "llama-3.2-3b": (3_212_749_824, 112),
    "qwen2.5-7b": (7_615_616_512, 56),
    "qwen3-14b": (14_768_307_200, 160),
    "qwen3-32b": (32_762_123_264, 256),
    "qwen3-30b-a3b": (30_532_122_624, 96),
    "mixtral-8x7b": (46_702_792_704, 128),
    "mistral-nemo": (12_247_782_400, 160),
    "codellama-34b": (33_743_970_304, 192),
    "yi-34b": (34_388_917_248, 240),
    "opt-13b": (12_853_473_280, 800),
    "deepseek-v2-lite": (15_706_484_224, 30.375),
}

CARDS = "gtx-1050 gtx-1050-ti gtx-1060-3gb t4 l4 rtx-3060 rtx-4090 l40s rtx-pro-6000 a100-80gb a100-40gb h100-80gb h200"


def figures(data: Any) -> list[dict[str, Any]]:
    """All that says where it is from: single figures, and models' shapes."""
    if isinstance(data, dict):
        if "source" in data:
            return [data]
        return [figure for value in data.values() for figure in figures(value)]
    return []


def bare_numbers(data: Any) -> list[Any]:
    """Numbers outside of anything with a source."""
    if isinstance(data, dict):
        return [] if "source" in data else [found for value in data.values() for found in bare_numbers(value)]
    return [data] if isinstance(data, int | float) and not isinstance(data, bool) else []


@pytest.mark.parametrize("file", sorted(path.name for path in DATA.glob("*.json")))
def test_each_figure_has_a_source_and_a_date(file: str) -> None:
    data = json.loads((DATA / file).read_text())
    found = figures(data)
    assert found
    for figure in found:
        assert set(figure) in ({"value", "source", "date"}, {"values", "source", "date"})
        assert len(figure["source"]) > 10
    assert not bare_numbers(data)


@pytest.mark.parametrize(
    "broken",
    [
        {"source": ""},
        {"date": "last week"},
        {"value": -1},
        {"value": "many"},
        {"gain": 0.4},
    ],
)
def test_the_schema_refuses_a_figure_without_provenance(broken: dict[str, Any]) -> None:
    entry = json.loads((DATA / "gpus.json").read_text())["l4"]
    entry["watts"].update(broken)
    with pytest.raises(Exception, match=r"."):
        Converter(forbid_extra_keys=True).structure(entry, GpuFigures)


@pytest.mark.parametrize(
    "pick", [catalog.gpu, catalog.model, catalog.link, catalog.host, catalog.api, catalog.place, catalog.benchmark]
)
def test_an_unknown_name_is_refused_with_the_known_ones(pick: Any) -> None:
    with pytest.raises(EngineError) as refused:
        pick("abacus")
    assert refused.value.code.startswith("catalog.")
    assert refused.value.params["known"]


def test_the_cards_that_are_spoken_of_are_there() -> None:
    assert set(CARDS.split()) | {"b200"} == set(catalog.gpus())
    for card in catalog.gpus().values():
        assert card.idle_watts < card.busy_watts < card.peak_watts
        assert card.rent_usd_per_hour > 0
        assert card.rent_spot_usd_per_hour is None or card.rent_spot_usd_per_hour < card.rent_usd_per_hour


# -- models ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", PUBLISHED)
def test_parameters_and_kv_bytes_are_the_published_ones_exactly(id: str) -> None:
    parameters, kib = PUBLISHED[id]
    model = catalog.model(id)
    assert model.parameters == parameters
    assert model.weight_bytes == 2 * parameters
    assert kv_bytes_per_token(model) == kib * 1024


def test_every_model_is_checked_against_its_publication() -> None:
    assert {id for id in catalog.models() if id in PUBLISHED or not id.startswith("llama-3")} == set(PUBLISHED)


def test_what_a_step_reads_and_multiplies() -> None:
    llama = catalog.model("llama-3.1-8b")
    assert llama.weight_bytes_read == pytest.approx(15.0e9, rel=1e-3), "no input embeddings"
    assert llama.multiplied_parameters == pytest.approx(6.98e9, rel=1e-3)
    assert catalog.model("llama-3.2-3b").multiplied_parameters == pytest.approx(2.82e9, rel=1e-3)
    small = catalog.model("llama-3.2-1b")
    assert small.weight_bytes_read == small.weight_bytes, "the table is the output head, too"
    assert small.multiplied_parameters == pytest.approx(0.97e9, rel=0.01)
    assert catalog.model("qwen3-30b-a3b").multiplied_parameters == pytest.approx(2.7e9, rel=0.02), "A3B less tables"


@pytest.mark.parametrize(
    ("id", "size"),
    [("llama-3.2-3b-q4-k-m", 2.02e9), ("llama-3.2-3b-q8-0", 3.42e9), ("llama-3.2-1b-q4-k-m", 0.81e9)],
)
def test_variants_have_the_size_of_their_files_and_the_kv_of_their_model(id: str, size: float) -> None:
    model = catalog.model(id)
    assert model.weight_bytes == pytest.approx(size, rel=1e-6)
    assert kv_bytes_per_token(model) == kv_bytes_per_token(catalog.model(id[:12]))


def test_fp8_halves_the_layers_but_not_the_head() -> None:
    full, fp8 = catalog.model("llama-3.1-8b"), catalog.model("llama-3.1-8b-fp8")
    layers = full.parameters - 2 * full.head_parameters
    assert fp8.weight_bytes_read == pytest.approx(layers + 2 * full.head_parameters, rel=1e-3)


def test_w4a16_saves_memory_and_reading_but_no_multiplying() -> None:
    card, full, four = catalog.gpu("rtx-4090"), catalog.model("llama-3.1-8b"), catalog.model("llama-3.1-8b-w4a16")
    layers = full.parameters - 2 * full.head_parameters
    assert four.weight_bytes == pytest.approx(layers * (4 + 16 / 128) / 8 + 4 * full.head_parameters, rel=1e-3)
    assert Deployment(card, full).decode(1).base_ps > 2 * Deployment(card, four).decode(1).base_ps
    long = [2048] * 4
    assert Deployment(card, four).prefill(long).step_ps > 0.95 * Deployment(card, full).prefill(long).step_ps


def test_fp8_multiplies_faster_only_where_a_card_has_it() -> None:
    full, fp8, long = catalog.model("llama-3.1-8b"), catalog.model("llama-3.1-8b-fp8"), [2048] * 4
    for card, faster in (("h100-80gb", True), ("rtx-4090", True), ("a100-80gb", False)):
        gpu = catalog.gpu(card)
        share = Deployment(gpu, fp8).prefill(long).step_ps / Deployment(gpu, full).prefill(long).step_ps
        assert (share < 0.7) is faster, "attention, head and host stay as they are"


# -- quality and prices ------------------------------------------------------------------------------------------------


def test_no_model_is_best_at_everything() -> None:
    summaries, code = catalog.benchmark("tldr9"), catalog.benchmark("humaneval")
    small, large = summaries.score("llama-3.2-3b"), summaries.score("llama-3.1-8b")
    assert small is not None
    assert large is not None
    assert small > large
    assert code.score("llama-3.2-3b") is None, "nobody has published it"
    for benchmark in catalog.benchmarks().values():
        assert set(benchmark.models) <= set(catalog.models())
        assert all(0 < figure.value < 100 for figure in benchmark.models.values())


def test_prices_of_tokens_are_whole_nano_dollars() -> None:
    for id, figures in read.raw("apis.json").items():
        offer = catalog.api(id)
        assert offer.model in catalog.models()
        assert offer.nusd_per_token_in * 1e-3 == pytest.approx(figures["usd_per_mtok_in"]["value"], rel=1e-12)
        assert offer.nusd(10**6, 0) == figures["usd_per_mtok_in"]["value"] * 1e9
        assert offer.nusd(0, 10**6) == figures["usd_per_mtok_out"]["value"] * 1e9


def test_management_costs_more_than_the_card_does() -> None:
    costs = catalog.costs()
    assert costs.management_usd_per_hour == pytest.approx(120 / 730)
    assert costs.management_usd_per_hour > (1599 + costs.host_usd) / costs.years / 8760


# -- config.json -------------------------------------------------------------------------------------------------------


def config(id: str = "llama-3.1-8b", **changes: Any) -> dict[str, Any]:
    """A config.json as published: the fields that the catalog has, and some that do not matter."""
    values: dict[str, Any] = dict(read.raw("models.json")[id]["config"]["values"])
    values |= {"architectures": ["LlamaForCausalLM"], "rope_theta": 500000.0, "rms_norm_eps": 1e-05}
    return {name: value for name, value in (values | changes).items() if value is not ...}


def written(folder: Path, content: Any) -> str:
    path = folder / "config.json"
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return str(path)


@pytest.mark.parametrize("id", PUBLISHED)
def test_a_model_can_be_given_as_its_config_json(id: str, tmp_path: Path) -> None:
    path = written(tmp_path, config(id))
    model, known = catalog.model(path), catalog.model(id)
    for name in ("parameters", "weight_bytes_read", "multiplied_parameters", "kv_elements", "expert_bytes"):
        assert getattr(model, name) == getattr(known, name)
    card = catalog.gpu("h100-80gb")
    assert Deployment(card, model).decode(4) == Deployment(card, known).decode(4)


@pytest.mark.parametrize(
    ("content", "code", "params"),
    [
        (b"not json", "catalog.config_malformed", {}),
        (b"[1, 2]", "catalog.config_malformed", {}),
        (b"\xff\xfe", "catalog.config_malformed", {}),
        (b'{"a": 1, "a": 2}', "catalog.config_malformed", {}),
        (b'{"hidden_size": NaN}', "catalog.config_malformed", {}),
        (b"[" * 100_000, "catalog.config_malformed", {}),
        (b'{"hidden_size": ' + b"9" * 10_000 + b"}", "catalog.config_malformed", {}),
        (b" " * (MAX_BYTES + 1), "catalog.config_malformed", {}),
        (config(model_type="abacus"), "catalog.config_type", {"type": "abacus"}),
        (config(model_type=...), "catalog.config_type", {}),
        (config(model_type=["llama"]), "catalog.config_type", {}),
        (config(quantization_config={"bits": 4}), "catalog.config_quantized", {}),
        (config(hidden_size=...), "catalog.config_field", {"field": "hidden_size"}),
        (config(hidden_size="4096"), "catalog.config_field", {"field": "hidden_size"}),
        (config(hidden_size=4096.0), "catalog.config_field", {"field": "hidden_size"}),
        (config(hidden_size=True), "catalog.config_field", {"field": "hidden_size"}),
        (config(num_hidden_layers=0), "catalog.config_field", {"field": "num_hidden_layers"}),
        (config(vocab_size=10**9), "catalog.config_field", {"field": "vocab_size"}),
        (config(num_attention_heads=33), "catalog.config_field", {"field": "num_attention_heads"}),
        (config(num_key_value_heads=7), "catalog.config_field", {"field": "num_key_value_heads"}),
        (config(tie_word_embeddings=1), "catalog.config_field", {"field": "tie_word_embeddings"}),
        (config(torch_dtype="int3"), "catalog.config_field", {"field": "torch_dtype"}),
        (config(torch_dtype=...), "catalog.config_field", {"field": "torch_dtype"}),
        (config("mixtral-8x7b", num_experts_per_tok=9), "catalog.config_field", {"field": "num_experts_per_tok"}),
        (
            config("deepseek-v2-lite", first_k_dense_replace=28),
            "catalog.config_field",
            {"field": "first_k_dense_replace"},
        ),
        (config("qwen3-30b-a3b", mlp_only_layers=[1]), "catalog.config_field", {"field": "decoder_sparse_step"}),
        (config("opt-13b", word_embed_proj_dim=512), "catalog.config_field", {"field": "word_embed_proj_dim"}),
    ],
)
def test_a_config_that_cannot_be_used_is_refused_by_name(
    content: Any, code: str, params: dict[str, str], tmp_path: Path
) -> None:
    with pytest.raises(EngineError) as refused:
        catalog.model(written(tmp_path, content))
    assert refused.value.code == code
    assert params.items() <= refused.value.params.items()


def test_a_config_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(EngineError) as refused:
        catalog.model(str(tmp_path / "config.json"))
    assert refused.value.code == "catalog.config_missing"


# -- the command ----------------------------------------------------------------------------------------------------


def test_the_command_shows_the_equation_with_its_numbers(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["catalog", "models", "llama-3.1-8b"]) == 0
    by_name = capsys.readouterr().out
    assert "2 x 32 layers x 8 KV heads x 128 x 2 bytes = 131,072 bytes = 128 KiB" in by_name
    assert "= 8,030,261,248" in by_name
    assert main(["catalog", "model", written(tmp_path, config())]) == 0
    assert "131,072 bytes" in capsys.readouterr().out


@pytest.mark.parametrize("id", PUBLISHED)
def test_the_equation_of_the_parameters_is_right(id: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["catalog", "models", id, "--json"]) == 0
    left, right = json.loads(capsys.readouterr().out)["equations"]["parameters"].replace(",", "").split(" = ")
    total = 0
    for term in left.split(" + "):
        product = 1
        for word in term.split("(")[0].split():
            product *= int(word) if word.isdigit() else 1
        total += product
    assert total == int(right) == model_shape(id).parameters


def test_the_command_lists_everything_with_sources(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["catalog", "--json"]) == 0
    everything = json.loads(capsys.readouterr().out)
    assert everything["gpus"]["rtx-4090"]["watts"]["source"]
    assert everything["models"]["qwen3-32b"]["kv_bytes_per_token"] == 256 * 1024
    assert set(everything) == {"gpus", "models", "benchmarks", "links", "hosts", "apis", "places", "costs"}
    for arguments in (["catalog"], ["catalog", "gpus"], ["catalog", "apis", "groq"], ["catalog", "costs", "years"]):
        assert main(arguments) == 0
        assert capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["planes"], ["gpus", "abacus"], ["models", "abacus"], ["costs", "abacus"]])
def test_what_is_not_there_is_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["catalog", *arguments]) == 2
    assert "error" in capsys.readouterr().err
