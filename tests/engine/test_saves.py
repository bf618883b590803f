"""A game that is saved is there again, to the bit: all tabs, their branches, what can be undone and the graphs."""

import ast
import os
import time
from pathlib import Path
from typing import Any

import attrs
import msgpack
import pytest
from factories import LEVEL_1, LEVELS
from saving import DAY, HALF_HOUR, Saver, half_hour

from engine.level.load import load
from engine.level.spec import Level
from engine.player.whole_file import previous
from engine.saves import format as outer
from engine.saves import migrations
from engine.saves.format import Form
from engine.saves.migrations import RUN, SAVE, Migration
from engine.saves.slots import SLOTS, Slots, name_of
from engine.simulation import Simulation
from engine.units import PS_PER_S, seconds

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "tests" / "fixtures"


@pytest.fixture
def player(tmp_path: Path) -> Saver:
    return Saver(tmp_path)


def much(player: Saver) -> None:
    """A game with two tabs, branches, and things to undo."""
    player.play("1", 100.3)
    player.give(do="rewind", t_ps=seconds(50))
    player.look()
    player.give(do="set", id=4, name="max_num_seqs", value=3)
    player.look(20.1)
    player.give(do="rewind", t_ps=seconds(60))
    player.look()
    player.give(do="remove", ids=[3])
    player.give(do="undo")
    player.give(do="tab_open")
    player.give(do="remove", ids=[4])
    player.give(do="undo")
    player.give(do="start")
    player.look(7.7)
    player.give(do="tab", index=0)
    player.look(1.23)


def test_a_saved_game_is_there_again(player: Saver, tmp_path: Path) -> None:
    much(player)
    before, structure = player.whole(), structure_of(player)
    assert len(before[1]["branches"]) == 2
    player.save(3)
    other = Saver(tmp_path)
    assert other.load(3) == ["save.loaded"]
    assert other.whole() == before
    assert structure_of(other) == structure
    player.give(do="tab", index=1)
    other.give(do="tab", index=1)
    assert other.whole() == player.whole()
    assert not list(tmp_path.rglob("*.tmp"))


def structure_of(player: Saver) -> dict[str, Any]:
    player.give(do="view", xx=1.0, yx=0.0, xy=0.0, yy=1.0)
    structure = player.look()["structure"]
    return {key: structure[key] for key in ("level", "machines", "undo", "redo", "tab", "tabs")}


def test_a_loaded_game_goes_on_as_if_nothing_had_been(player: Saver, tmp_path: Path) -> None:
    much(player)
    player.save()
    other = Saver(tmp_path)
    other.load()
    for one in (player, other):
        one.give(do="undo")
        one.look(33.3)
        one.give(do="redo")
        one.look(40.0)
        branch = one.ask("timeline")["branches"][0]["index"]
        one.give(do="branch", index=branch, t_ps=seconds(55))
        one.look()
        one.look(11.1)
    assert other.whole() == player.whole()
    assert other.game.commands == player.game.commands


def test_the_picture_of_a_loaded_game_is_the_one_that_was_saved(player: Saver, tmp_path: Path) -> None:
    player.play("1", 61.37)
    player.save()
    other = Saver(tmp_path)
    other.give(do="load", slot=1)
    after = other.look()
    before = player.look()
    for part in ("t_ps", "phase", "pads", "machines", "hud", "result"):
        assert after[part] == before[part], part
    for kind, (count, rows) in after["packets"].items():
        assert count == before["packets"][kind][0]
        assert rows.data[: 8 + 32 * count] == before["packets"][kind][1].data[: 8 + 32 * count], kind


@pytest.mark.parametrize("level", ["1", "2", "3"])
def test_every_level_is_saved_at_any_phase(tmp_path: Path, level: str) -> None:
    player = Saver(tmp_path)
    for slot, to_s in ((1, 0.0), (2, 17.3), ("auto", 240.0)):
        player.play(level, to_s)
        player.save(slot)
        other = Saver(tmp_path)
        assert other.load(slot) == ["save.loaded"]
        assert other.whole() == player.whole()


def test_the_rows_tell_what_is_saved_without_loading(player: Saver) -> None:
    player.play("1", 240)
    player.save(9)
    player.save("auto")
    told = player.ask("saves")
    assert [row["slot"] for row in told["saves"]] == ["auto", 9]
    row = told["saves"][1]
    state = player.ask("state")
    assert row == {
        "slot": 9,
        "file": "slot-9.save",
        "code": None,
        "params": {},
        "previous": False,
        "bytes": row["bytes"],
        "game": row["game"],
        "date": DAY,
        "level": LEVEL_1.id,
        "level_hash": row["level_hash"],
        "number": 1,
        "titles": {},
        "mods": [],
        "seed": 1,
        "t_ps": seconds(240),
        "end_ps": seconds(240),
        "phase": "ended",
        "tps": row["tps"],
        "goals": [{"code": f"goal.{goal.metric}", "met": True} for goal in LEVEL_1.goals],
        "stars": row["stars"],
        "tabs": 1,
        "layout_hash": player.ask("layout")["layout_hash"],
        "state_hash": state["hash"],
        "layout": player.ask("layout")["layout"],
    }
    assert "goal" in row["stars"]
    assert row["tps"] > 30


def test_what_cannot_be_done_is_refused(player: Saver, tmp_path: Path) -> None:
    nobody = Saver(None)
    assert nobody.give(do="save", slot=1, date=DAY)["code"] == "level.none_open"
    nobody.play()
    assert nobody.give(do="save", slot=1, date=DAY)["code"] == "player.none"
    assert nobody.ask("saves")["code"] == "player.none"
    assert player.give(do="load", slot=1)["code"] == "save.none"
    assert player.give(do="load_file", path=str(tmp_path))["code"] == "save.none"
    assert player.give(do="load_file", path="save")["code"] == "message.malformed"
    assert player.give(do="load_file", path="/dev/zero")["code"] == "save.none"
    assert player.give(do="load_stop")["code"] == "save.not_loading"
    player.play("1", 10)
    for slot in (0, 10, "1", "../1", True, 1.0, None, [], {}):
        for command in ("save", "load", "save_delete"):
            date = {"date": DAY} if command == "save" else {}
            assert player.give(do=command, slot=slot, **date)["code"] == "save.slot", slot
    assert player.give(do="save", slot=1, date="now")["code"] == "message.malformed"
    player.give(do="rewind", t_ps=0)
    assert player.give(do="save", slot=1, date=DAY)["code"] == "run.rewinding"
    assert player.ask("saves")["saves"] == []


def test_while_it_loads_the_game_that_was_open_is_kept(player: Saver) -> None:
    player.play("1", 100)
    player.save()
    player.play("2", 5)
    before = player.whole()
    assert player.give(do="load", slot=1)["ok"]
    assert "rewinding" in dict(msgpack.unpackb(player.session.step(0.1, lambda: True)))
    assert player.session.rewinding
    assert player.give(do="start")["code"] == "run.rewinding"
    assert player.give(do="restart")["code"] == "run.rewinding"
    assert player.give(do="save", slot=1, date=DAY)["code"] == "run.rewinding"
    assert player.give(do="load_stop")["ok"]
    assert player.whole() == before
    player.give(do="load", slot=1)
    player.give(do="open", level="3")
    assert player.look()["structure"]["level"]["number"] == 3
    player.give(do="load", slot=1)
    assert player.load() == ["save.loaded"]
    assert player.game.level.number == 1


def test_half_an_hour_is_loaded_from_a_state_near_its_end(tmp_path: Path) -> None:
    """Of 1,800 s the last forty at most are simulated, in slices. The farther back, the fewer states are kept."""
    player = Saver(tmp_path, half_hour)
    player.play("1", 1800)
    player.save()
    other = Saver(tmp_path, half_hour)
    start = time.perf_counter()
    times = []
    other.give(do="load", slot=1)
    while "rewinding" in dict(msgpack.unpackb(other.session.step(0.0, lambda: True))):
        loading = other.session._saving.loading
        assert loading is not None
        times += [tab.replay.simulation.now for tab in loading.tabs if tab.replay is not None]
    print(f"loaded in {time.perf_counter() - start:.3f} s, {len(times)} slices of simulation")
    assert 10 < len(times) < 100
    assert seconds(1770) <= min(times)
    assert other.whole() == player.whole()
    size = (tmp_path / "saves" / "slot-1.save").stat().st_size
    assert size < 1_000_000, size
    kept = [checkpoint.time_ps // PS_PER_S for checkpoint in other.game.checkpoints]
    assert kept == [840, 1320, 1560, 1680, 1740, 1770, 1800]
    for one in (player, other):
        one.give(do="rewind", t_ps=seconds(900.7))
        one.look()
    assert other.ask("state") == player.ask("state")


# -- files that are not as they should be ------------------------------------------------------------------------------


def saved(tmp_path: Path) -> tuple[Saver, Path]:
    """Two saves in a slot, one after the other."""
    player = Saver(tmp_path)
    player.play("1", 10)
    player.save()
    player.look(5.0)
    player.save()
    return player, tmp_path / "saves" / "slot-1.save"


@pytest.mark.parametrize("how", ["cut", "flipped", "empty", "gone", "zeros", "text", "folder"])
def test_a_damaged_save_falls_back_to_the_one_before_and_says_so(tmp_path: Path, how: str) -> None:
    _, path = saved(tmp_path)
    content = path.read_bytes()
    path.unlink()
    match how:
        case "cut":
            path.write_bytes(content[: len(content) // 2])
        case "flipped":
            path.write_bytes(content[:900] + bytes([content[900] ^ 1]) + content[901:])
        case "empty":
            path.write_bytes(b"")
        case "zeros":
            path.write_bytes(bytes(len(content)))
        case "text":
            path.write_bytes(content.replace(b"\r\n", b"\n"))
        case "folder":
            path.mkdir()
    other = Saver(tmp_path)
    row = other.ask("saves")["saves"][0]
    assert (row["code"], row["previous"], row["t_ps"]) == (None, True, seconds(10))
    told = other.give(do="load", slot=1)
    assert told["notes"] == [{"code": "save.previous", "params": {"file": "slot-1.save"}}]
    assert other.arrive() == ["save.loaded", "save.previous"]
    assert other.game.now == seconds(10)


def test_a_save_whose_body_makes_no_sense_falls_back_too(tmp_path: Path) -> None:
    """Its digest and its seal are right: whoever wrote it, wrote nonsense."""
    _, path = saved(tmp_path)
    parts = outer.read(SAVE, path.read_bytes(), "")
    whole = outer.write(SAVE, parts.header, [["tab", 7]])
    path.write_bytes(outer.sealed(whole, outer.NOBODY))
    other = Saver(tmp_path)
    assert other.load() == ["save.loaded", "save.previous"]
    assert other.game.now == seconds(10)


def test_where_both_are_damaged_the_game_that_was_open_goes_on(tmp_path: Path) -> None:
    player, path = saved(tmp_path)
    parts = outer.read(SAVE, path.read_bytes(), "")
    for each in (path, previous(path)):
        each.write_bytes(outer.sealed(outer.write(SAVE, parts.header, [["tab", 7]]), outer.NOBODY))
    before = player.whole()
    assert player.load() == ["save.damaged"]
    assert player.whole() == before
    other = Saver(tmp_path)
    other.give(do="load", slot=1)
    told = other.look()
    assert told["v"] == 1
    assert [event["code"] for event in told["events"]] == ["save.damaged"]
    assert other.look() == {"v": 1}
    for each in (path, previous(path)):
        each.write_bytes(b"nothing")
    assert player.ask("saves")["saves"] == [
        {"slot": 1, "file": "slot-1.save", "code": "save.damaged", "params": {"file": "slot-1.save"}}
    ]
    assert player.give(do="load", slot=1)["code"] == "save.damaged"
    player.save()
    assert not previous(path).exists() or previous(path).read_bytes() == b"nothing"
    assert player.load() == ["save.loaded"]


def test_a_damaged_save_never_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    player, path = saved(tmp_path)
    good = previous(path).read_bytes()
    path.write_bytes(b"damaged")
    player.save()
    assert previous(path).read_bytes() == good


def test_a_save_of_a_newer_version_is_refused_and_left_alone(tmp_path: Path) -> None:
    player, path = saved(tmp_path)
    content = bytearray(path.read_bytes())
    content[8:10] = (SAVE.version + 1).to_bytes(2, "little")
    path.write_bytes(content)
    params = {"file": "slot-1.save", "version": SAVE.version + 1, "known": SAVE.version}
    for told in (player.give(do="load", slot=1), player.give(do="save", slot=1, date=DAY)):
        assert (told["code"], told["params"]) == ("save.newer", params)
    assert path.read_bytes() == content
    assert player.ask("saves")["saves"] == [{"slot": 1, "file": "slot-1.save", "code": "save.newer", "params": params}]
    assert player.give(do="save_delete", slot=1)["ok"]
    assert player.ask("saves")["saves"] == []
    player.save()


def test_a_save_from_elsewhere_is_simulated_from_its_commands(tmp_path: Path) -> None:
    player = Saver(tmp_path / "here")
    much(player)
    player.save()
    other = Saver(tmp_path / "there")
    path = tmp_path / "here" / "saves" / "slot-1.save"
    assert other.give(do="load_file", path=str(path))["ok"]
    loading = other.session._saving.loading
    assert other.arrive() == ["save.loaded", "save.elsewhere"]
    assert loading is not None
    assert loading.equal
    assert other.whole()[0] == player.whole()[0]
    assert other.whole()[2:] == player.whole()[2:], "graphs and tabs come out of the simulation"
    assert structure_of(other) == structure_of(player)


def test_states_that_somebody_has_changed_are_not_believed(tmp_path: Path) -> None:
    """With the digest made right again; the key of the seal is not in the file."""
    player = Saver(tmp_path)
    player.play("1", 70)
    player.save()
    path = tmp_path / "saves" / "slot-1.save"
    parts = outer.read(SAVE, path.read_bytes(), "")
    records = []
    for record, _ in outer.records(parts.body, ""):
        records.append(["checkpoint", *record[1:3], b"no state"] if record[0] == "checkpoint" else record)
    path.write_bytes(outer.sealed(outer.write(SAVE, parts.header, records), parts.seal))
    assert Saver(tmp_path).load() == ["save.loaded", "save.elsewhere"]


def test_states_of_another_version_of_the_game_are_simulated_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = Saver(tmp_path)
    player.play("1", 70)
    player.save()
    monkeypatch.setattr(Simulation, "_load", lambda self, checkpoint: {}["not there"])
    other = Saver(tmp_path)
    assert other.load() == ["save.loaded"]
    assert other.whole()[2] == player.whole()[2]


def test_a_level_that_has_changed_is_told_of(tmp_path: Path) -> None:
    player = Saver(tmp_path)
    player.play("1", 70)
    player.save()

    def changed(which: str) -> Level:
        level = load(which)
        return attrs.evolve(level, traffic=LEVELS[1].traffic) if level.number == 1 else level

    other = Saver(tmp_path, changed)
    assert other.load() == ["save.loaded", "save.changed", "save.differs"]
    assert other.game.now == seconds(70)


def test_a_level_that_is_none_of_the_games_own_lies_in_the_file(tmp_path: Path) -> None:
    texts = {"en": {"level.mine.title": "Mine", "level.mine.goal": "g"}, "de": {"level.mine.title": "Meins"}}
    mine = attrs.evolve(LEVEL_1, id="mine", texts=texts)
    player = Saver(tmp_path, lambda which: mine if which == "that" else load(which))
    player.play("that", 45)
    player.save()
    other = Saver(tmp_path)
    assert other.ask("saves")["saves"][0]["titles"] == {"en": "Mine", "de": "Meins"}
    assert other.load() == ["save.loaded"]
    assert other.whole() == player.whole()
    assert other.game.level == mine


def test_no_file_passes_its_level_off_as_one_of_the_games_own(tmp_path: Path) -> None:
    """Else stars could be had in an easier one."""
    easy = attrs.evolve(LEVEL_1, goals=[attrs.evolve(LEVEL_1.goals[0], target=0.001)])
    player = Saver(tmp_path, lambda which: easy if which == "1" else load("2"))
    player.play("1", 5)
    player.save()
    other = Saver(tmp_path)
    other.load()
    assert other.game.level == LEVEL_1


def test_slots_are_deleted_with_what_was_before(tmp_path: Path) -> None:
    player, path = saved(tmp_path)
    assert player.give(do="save_delete", slot=1)["ok"]
    assert [each.name for each in path.parent.iterdir() if each.name != ".lock"] == []
    assert player.give(do="save_delete", slot=1)["ok"]


def test_what_a_killed_game_left_is_swept_at_the_next_start(tmp_path: Path) -> None:
    saved(tmp_path)
    left = [tmp_path / "saves" / f"slot-1.save.77.{'a' * 16}.tmp", tmp_path / f"stars.json.1.{'0' * 16}.tmp"]
    others = [tmp_path / "mine.tmp", tmp_path / "saves" / "notes.txt"]
    for path in (*left, *others):
        path.write_text("half")
    Saver(tmp_path)
    assert not any(path.exists() for path in left)
    assert all(path.exists() for path in others)


def test_the_key_is_made_once_and_is_the_players_alone(tmp_path: Path) -> None:
    saved(tmp_path)
    key = tmp_path / "key"
    content = key.read_bytes()
    assert len(content) == 32
    assert key.stat().st_mode & 0o777 == 0o600
    saved(tmp_path)
    assert key.read_bytes() == content
    key.write_bytes(b"broken")
    assert Saver(tmp_path).load() == ["save.loaded", "save.elsewhere"]
    assert len(key.read_bytes()) == 32


def test_slots_have_files_of_their_own() -> None:
    assert len({name_of(slot) for slot in SLOTS}) == len(SLOTS) == 10
    assert Slots(Path("/x")).path("auto") == Path("/x/saves/autosave.save")


# -- versions ----------------------------------------------------------------------------------------------------------


def fixture_of(form: Form, version: int) -> Path:
    kind = "save" if form is SAVE else "tfrun"
    return FIXTURES / f"version_{version}.{kind}"


def missing(form: Form) -> list[int]:
    """Released versions of which no fixture lies in the tests."""
    return [number for number in range(form.oldest, form.version + 1) if not fixture_of(form, number).exists()]


@pytest.mark.parametrize("form", [SAVE, RUN])
def test_a_file_of_every_version_lies_in_the_tests(form: Form) -> None:
    assert missing(form) == []
    assert missing(attrs.evolve(form, version=form.version + 1)) == [form.version + 1]


@pytest.mark.parametrize("form", [SAVE, RUN])
def test_files_of_every_version_come_out_as_they_were(form: Form, tmp_path: Path) -> None:
    for number in range(form.oldest, form.version + 1):
        path = fixture_of(form, number)
        player = Saver(tmp_path)
        command = "load_file" if form is SAVE else "recording_open"
        assert player.give(do=command, path=str(path))["ok"]
        loading = player.session._saving.loading
        assert loading is not None
        player.arrive()
        assert loading.equal, path.name


def test_an_older_version_comes_by_its_migration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As it will be: what is version 1 today is brought to version 2 and then to 3."""
    player = Saver(tmp_path)
    player.play("1", 40)
    player.save()
    newest = Form(SAVE.magic, version=3)
    monkeypatch.setattr("engine.protocol.saving.SAVE", newest)
    monkeypatch.setattr("engine.saves.slots.SAVE", newest)
    monkeypatch.setattr("engine.protocol.loading.SAVE", newest)
    seen = []

    def header(old: dict[str, Any]) -> dict[str, Any]:
        seen.append(old["state_hash"])
        return {**old, "date": "2027-01-01 00:00"}

    ways = {1: Migration(header=header), 2: Migration(record=lambda record: [["level", {}], record][1:])}
    monkeypatch.setitem(migrations.MIGRATIONS, newest, ways)
    other = Saver(tmp_path)
    assert other.ask("saves")["saves"][0]["date"] == "2027-01-01 00:00"
    assert other.load() == ["save.loaded"]
    assert other.whole() == player.whole()
    assert len(seen) >= 2


# -- what must not be there --------------------------------------------------------------------------------------------


def test_nothing_that_reads_files_could_run_what_is_in_them() -> None:
    banned = {"pickle", "marshal", "shelve", "dill", "importlib", "runpy", "code", "subprocess", "ctypes", "yaml"}
    calls = {"eval", "exec", "compile", "__import__"}
    paths = [*(ROOT / "engine" / "saves").glob("*.py"), *(ROOT / "engine" / "player").glob("*.py")]
    paths += [ROOT / "engine" / name for name in ("protocol/saving.py", "protocol/loading.py", "cli/replay.py")]
    paths += [ROOT / "engine" / name for name in ("floor/blueprint.py", "floor/layout.py", "serving/trace.py")]
    assert len(paths) > 15
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                assert not {alias.name.split(".")[0] for alias in node.names} & banned, path
            if isinstance(node, ast.ImportFrom):
                assert (node.module or "").split(".")[0] not in banned, path
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in calls, path


def test_a_file_never_names_a_script_to_run(tmp_path: Path) -> None:
    script = tmp_path / "evil.py"
    script.write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    player = Saver(tmp_path)
    player.play("1", 5)
    player.save()
    path = tmp_path / "saves" / "slot-1.save"
    parts = outer.read(SAVE, path.read_bytes(), "")
    records = [record for record, _ in outer.records(parts.body, "")]
    for level in (str(script), f"../{script.stem}", "evil.py", os.fspath(script.with_suffix(""))):
        whole = outer.write(SAVE, {**parts.header, "level": level}, records)
        path.write_bytes(outer.sealed(whole, outer.NOBODY))
        assert player.load() == ["save.level"]
    assert not (tmp_path / "ran").exists()


def test_a_small_file_cannot_ask_for_much(tmp_path: Path) -> None:
    player, path = saved(tmp_path)
    previous(path).unlink()
    parts = outer.read(SAVE, path.read_bytes(), "")
    hostile: list[list[Any]] = [
        ["tab", "h", 1],
        ["course", -1, 0, 0, 0, 0, seconds(240)],
        *[["layout", bytes(1000)]] * 300_000,
    ]
    whole = outer.write(SAVE, parts.header, hostile)
    assert len(whole) < 2_000_000
    path.write_bytes(outer.sealed(whole, outer.NOBODY))
    assert player.load() == ["save.damaged"]
    nested: Any = []
    for _ in range(400):
        nested = [nested]
    path.write_bytes(outer.sealed(outer.write(SAVE, parts.header, [nested] * 3), outer.NOBODY))
    assert player.load() == ["save.damaged"]


def test_the_test_level_is_the_first_one_for_longer() -> None:
    assert HALF_HOUR.end_s == 1805
