"""The mods of a player: how they stand, in which order they load, and playing what they bring."""

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import msgpack
import pytest
from attrs import evolve, field, frozen
from PIL import Image

from engine.cli.main import main
from engine.floor.layout import layout_from_data
from engine.level.load import load
from engine.level.spec import Level
from engine.mods.library import Library
from engine.mods.problem import LoadProblem
from engine.mods.runner import Failed, Loaded
from engine.protocol.codes import CODES
from engine.protocol.mods import Mods
from engine.protocol.play import play
from engine.protocol.session import Session
from engine.units import PS_PER_S

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted(path.parent for path in (ROOT / "mods").glob("*/mod.json"))
PLAIN = evolve(load("1"), tutorial=[], questions=[], hints=0, stars=None)


@frozen
class Fake:
    """Loads at the second look, without a worker: each script declares the level of its name."""

    levels: list[Level]
    looks: list[int] = field(factory=lambda: [0])

    def poll(self) -> Loaded | Failed | None:
        self.looks[0] += 1
        if self.looks[0] < 2:
            return None
        if any(level.id == "broken" for level in self.levels):
            return Failed([LoadProblem("levels/broken.py", 7, "pads[0].x", "check.outside", {"width": 1, "height": 1})])
        return Loaded(self.levels)

    def stop(self) -> None:
        pass


def fake(folder: Path, which: Iterable[str], scratch: Path) -> Any:
    assert scratch.is_dir()
    return Fake([evolve(PLAIN, id=Path(script).stem) for script in which])


def written(player: Path, folder_name: str, level: str = "", **changes: Any) -> Path:
    """A mod in the player's folder."""
    level = level or f"{folder_name}_level"
    folder = player / "mods" / folder_name
    for inside in ("levels", "texts"):
        (folder / inside).mkdir(parents=True, exist_ok=True)
    (folder / "levels" / f"{level}.py").write_text("LEVEL = None\n")
    (folder / "texts" / "en.json").write_text(json.dumps({f"level.{level}.title": f"Title of {level}"}))
    mod = {
        "id": folder_name,
        "version": "1.0",
        "title": {"en": folder_name.title()},
        "levels": [f"levels/{level}.py"],
        **changes,
    }
    (folder / "mod.json").write_text(json.dumps(mod, indent=1))
    return folder


def library(player: Path, walls: tuple[str, ...] = ()) -> Library:
    found = Library(player, fake, lambda: walls)
    found.finish()
    return found


def states(found: Library) -> list[tuple[str, str, str]]:
    for entry in found.entries():
        assert not entry.code or set(entry.params) == set(CODES[entry.code])
    return [(entry.id, entry.state, entry.code) for entry in found.entries()]


# -- how mods stand ----------------------------------------------------------------------------------------------------


def test_mods_load_by_what_they_need_then_by_id(tmp_path: Path) -> None:
    written(tmp_path, "alpha", needs={"zeta": ">=1"})
    written(tmp_path, "beta")
    written(tmp_path, "zeta", needs={"yota": ""})
    written(tmp_path, "yota")
    assert [id for id, _, _ in states(library(tmp_path))] == ["beta", "yota", "zeta", "alpha"]


def test_why_mods_do_not_load(tmp_path: Path) -> None:
    written(tmp_path, "good")
    written(tmp_path, "lonely", needs={"nowhere": ">=1"})
    written(tmp_path, "newer", needs={"good": ">=2"})
    written(tmp_path, "one", needs={"two": ""})
    written(tmp_path, "two", needs={"one": ""})
    written(tmp_path, "circled", needs={"one": ""})
    written(tmp_path, "future", game=">=99")
    written(tmp_path, "elder", interface="<1")
    written(tmp_path, "faulty", level="broken")
    written(tmp_path, "leans", needs={"faulty": ""})
    written(tmp_path, "odd", version="x")
    (tmp_path / "mods" / "empty").mkdir()
    assert set(states(library(tmp_path))) == {
        ("good", "enabled", ""),
        ("lonely", "missing", "mod.needs_missing"),
        ("newer", "missing", "mod.needs_version"),
        ("one", "missing", "mod.cycle"),
        ("two", "missing", "mod.cycle"),
        ("circled", "missing", "mod.needs_state"),
        ("future", "incompatible", "mod.game"),
        ("elder", "incompatible", "mod.interface"),
        ("faulty", "failed", "mod.failed"),
        ("leans", "missing", "mod.needs_state"),
        ("odd", "failed", "mod.failed"),
        ("empty", "failed", "mod.failed"),
    }


def test_what_the_player_decides_is_kept(tmp_path: Path) -> None:
    written(tmp_path, "good")
    found = library(tmp_path)
    found.disable("good")
    found.finish()
    assert states(found) == states(library(tmp_path)) == [("good", "disabled", "mod.disabled")]
    assert found.levels() == []
    found.enable("good")
    found.finish()
    assert states(found) == states(library(tmp_path)) == [("good", "enabled", "")]


def test_without_mods_nothing_is_read_until_they_are_wanted(tmp_path: Path) -> None:
    folder = written(tmp_path, "good")
    found = Library(tmp_path, fake, lambda: ())
    found.off()
    found.finish()
    assert states(found) == [("good", "disabled", "mod.off")]
    (folder / "mod.json").unlink()
    assert states(found) == [("good", "disabled", "mod.off")]
    written(tmp_path, "good")
    found.reload()
    found.finish()
    assert states(found) == [("good", "enabled", "")]


def test_where_walls_are_missing_the_player_is_asked_for_each_content(tmp_path: Path) -> None:
    folder = written(tmp_path, "good")
    found = library(tmp_path, ("wall.files",))
    assert states(found) == [("good", "asking", "mod.walls")]
    assert found.entries()[0].params == {"walls": ["files"]}
    found.allow("good")
    found.finish()
    assert states(found) == states(library(tmp_path, ("wall.files",))) == [("good", "enabled", "")]
    (folder / "levels" / "good_level.py").write_text("LEVEL = 1\n")
    assert states(library(tmp_path, ("wall.files",))) == [("good", "asking", "mod.walls")]


def test_a_change_is_seen_by_reloading(tmp_path: Path) -> None:
    folder = written(tmp_path, "good", level="broken")
    found = library(tmp_path)
    assert states(found)[0][1] == "failed"
    shutil.rmtree(folder)
    written(tmp_path, "good")
    written(tmp_path, "other")
    found.reload()
    found.finish()
    assert [state for _, state, _ in states(found)] == ["enabled", "enabled"]
    assert [level.level.id for _, level in found.levels()] == ["good/good_level", "other/other_level"]


def test_texts_cannot_be_missing(tmp_path: Path) -> None:
    folder = written(tmp_path, "good")
    (folder / "texts" / "en.json").write_text("{}")
    (folder / "texts" / "de.json").write_text('{"level.other.title": "Evil"}')
    (entry,) = library(tmp_path).entries()
    assert {(problem.file, problem.code) for problem in entry.package.problems} == {
        ("texts/de.json", "text.code"),
        ("levels/good_level.py", "check.missing"),
    }


def test_mods_with_any_byte_changed_are_mods_or_are_refused(tmp_path: Path) -> None:
    chance, odd = (
        Random(5),
        (b'"', b"\\ud800", b"[[[[", b"1e999", b"null", b"NaN", b"\xe2\x80\xae", b'{"a":', b"\\u0000"),
    )
    source = written(tmp_path / "whole", "good", picture="p.png", pictures={"good_level": "p.png"})
    Image.new("RGB", (8, 8)).save(source / "p.png")
    assert states(library(tmp_path / "whole")) == [("good", "enabled", "")]
    for number in range(80):
        player = tmp_path / str(number)
        folder = player / "mods" / "good"
        shutil.copytree(source, folder)
        for name in chance.sample(["mod.json", "texts/en.json", "p.png"], 2):
            content = bytearray((folder / name).read_bytes())
            at = chance.randrange(len(content))
            content[at : at + chance.randint(0, 9)] = chance.choice(odd)
            (folder / name).write_bytes(content)
        mods = Mods()
        mods.library = library(player)
        (told,) = mods.ask("mods", {}, None)["mods"]
        assert msgpack.packb([told, mods.ask("texts", {"language": "en"}, None)])
        assert told["state"] in ("enabled", "failed")
        assert all(set(problem["params"]) == set(CODES[problem["code"]]) for problem in told["problems"])


# -- crashes -----------------------------------------------------------------------------------------------------------

DYING = """
import os, sys, time
from pathlib import Path
sys.path.insert(0, {tests!r})
from engine.mods.library import Library
from engine.mods.package import Package
from test_mods import fake
player, how = Path({player!r}), {how!r}
if how == "reading":
    Package.read = lambda *_: (os._exit(3) for _ in [0])
if how == "loading":
    fake = lambda *_: os._exit(3)
library = Library(player, fake, lambda: ())
library.finish()
library.opened("good/good_level")
if how == "peace":
    library.close()
if how == "stays":
    print("open", flush=True)
    time.sleep(60)
os._exit(3)
"""


def dying(player: Path, how: str) -> list[str]:
    return [sys.executable, "-c", DYING.format(tests=str(Path(__file__).parent), player=str(player), how=how)]


@pytest.mark.parametrize("how", ["reading", "loading", "playing"])
def test_a_mod_that_was_at_work_when_the_game_died_is_turned_off_and_stays(tmp_path: Path, how: str) -> None:
    folder = written(tmp_path, "good")
    assert subprocess.run(dying(tmp_path, how), cwd=ROOT, check=False).returncode == 3
    found = library(tmp_path)
    assert found.notes == [("mod.turned_off", {"id": "good"})]
    assert states(found) == states(library(tmp_path)) == [("good", "disabled", "mod.crashed")]
    assert (folder / "mod.json").is_file()
    found.enable("good")
    found.finish()
    assert states(found) == states(library(tmp_path)) == [("good", "enabled", "")]


def test_a_game_that_ends_in_peace_or_goes_on_turns_nothing_off(tmp_path: Path) -> None:
    written(tmp_path, "good")
    assert subprocess.run(dying(tmp_path, "peace"), cwd=ROOT, check=False).returncode == 3
    assert states(library(tmp_path)) == [("good", "enabled", "")]
    with subprocess.Popen(dying(tmp_path, "stays"), cwd=ROOT, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"open\n"
        assert states(library(tmp_path)) == [("good", "enabled", "")]
        other.kill()
    assert states(library(tmp_path)) == [("good", "disabled", "mod.crashed")]


# -- across the bridge -------------------------------------------------------------------------------------------------


def give(session: Session, **message: Any) -> dict[str, Any]:
    return dict(msgpack.unpackb(session.command(msgpack.packb({"v": 1, **message}))))


def ask(session: Session, **message: Any) -> dict[str, Any]:
    return dict(msgpack.unpackb(session.ask(msgpack.packb({"v": 1, **message}))))


def loaded(player: Path) -> Session:
    """A session whose mods have loaded, in their workers."""
    session = Session()
    assert give(session, do="player_folder", folder=str(player)) == {"ok": True, "notes": []}
    deadline = time.monotonic() + 60
    while ask(session, ask="mods")["loading"]:
        session.step(0.0)
        time.sleep(0.002)
        assert time.monotonic() < deadline
    return session


def test_before_the_players_folder_is_known_there_are_no_mods() -> None:
    session = Session()
    assert ask(session, ask="mods") == {"ok": True, "folder": "", "loading": False, "mods": []}
    assert ask(session, ask="texts", language="en") == {"ok": True, "texts": {}}
    assert give(session, do="mods_reload")["code"] == "player.none"
    assert give(session, do="open", level="a/b")["code"] == "player.none"


def test_a_level_of_a_mod_is_played_like_any_other_and_its_hooks_act(tmp_path: Path) -> None:
    shutil.make_archive(str(tmp_path / "mods" / "spare_card"), "zip", ROOT / "mods" / "spare_card")
    session = loaded(tmp_path)
    (mod,) = ask(session, ask="mods")["mods"]
    assert (mod["state"], mod["problems"], mod["title"]["de"]) == ("enabled", [], "Eine Karte in Reserve")
    key = mod["levels"][0]["key"]
    assert key == "spare_card/spare_card"
    texts = ask(session, ask="texts", language="de")["texts"]
    assert texts[mod["levels"][0]["title"]] == "Eine Karte in Reserve"
    assert ask(session, ask="texts", language="fr")["texts"] == ask(session, ask="texts", language="en")["texts"]
    assert ask(session, ask="progress")["levels"][-1] == {
        "number": 1, "id": key, "mod": "spare_card", "stars": [], "attempts": 0
    }  # fmt: skip
    assert give(session, do="open", level="spare_card/nothing")["code"] == "level.unknown"
    assert give(session, do="open", level=key)["ok"]
    assert ask(session, ask="tutorial")["code"] in texts
    assert give(session, do="layout", layout=ask(session, ask="reference")["layout"])["ok"]
    assert give(session, do="start")["ok"]
    events, deadline = [], time.monotonic() + 60
    while (shot := msgpack.unpackb(session.step(2.0), ext_hook=msgpack.ExtType))["phase"] != "ended":
        events += shot["events"]
        assert time.monotonic() < deadline
    said = [event["params"]["text"] for event in events if event["code"] == "hook.message"]
    assert said == ["message.spare_card/spare_card.failed", "message.spare_card/spare_card.repaired"]
    assert all(code in texts for code in said)
    assert [event["t_ps"] // PS_PER_S for event in events if event["code"] in ("pad.broken", "pad.repaired")] == [
        70,
        135,
    ]
    assert shot["result"]["passed"]
    assert give(session, do="attempt_keep", date="2026-12-01")["stars"] == ["goal"]
    session.close()
    again = loaded(tmp_path)
    assert ask(again, ask="progress")["levels"][-1]["stars"] == ["goal"]
    again.close()
    assert not list((tmp_path / "mods-cache" / "at-work").iterdir())


def test_all_problems_of_a_mod_are_told_with_their_places(tmp_path: Path) -> None:
    folder = written(tmp_path, "bad\nname", level="some", id="bad_name", title={"en": "\ud800"})
    session = loaded(tmp_path)
    (mod,) = ask(session, ask="mods")["mods"]
    assert mod["id"].startswith("bad")
    assert "\n" not in mod["id"]
    assert mod["state"] == "failed"
    assert {problem["code"] for problem in mod["problems"]} >= {"mod.id_folder", "check.characters"}
    assert folder.is_dir()


def test_a_picture_comes_drawn_anew_out_of_the_cache(tmp_path: Path) -> None:
    folder = tmp_path / "mods" / "two_to_one"
    shutil.copytree(ROOT / "mods" / "two_to_one", folder)
    Image.new("RGB", (320, 180), (1, 2, 3)).save(folder / "cover.png")
    mod = json.loads((folder / "mod.json").read_text())
    mod |= {"picture": "cover.png", "pictures": {"two_to_one": "cover.png"}}
    (folder / "mod.json").write_text(json.dumps(mod))
    (told,) = ask(loaded(tmp_path), ask="mods")["mods"]
    assert told["problems"] == []
    assert told["picture"] == told["levels"][0]["picture"]
    assert Path(told["picture"]).parent == tmp_path / "mods-cache" / "pictures"


# -- the command line --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mod", EXAMPLES, ids=lambda mod: mod.name)
def test_the_examples_are_accepted_in_english_and_german(mod: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(mod)]) == 0
    assert capsys.readouterr().out.startswith(f"accepted: {mod.name} 1.0.0, level {mod.name}/")
    english, german = (json.loads((mod / "texts" / f"{language}.json").read_text()) for language in ("en", "de"))
    assert english.keys() == german.keys()


@pytest.mark.parametrize("mod", EXAMPLES, ids=lambda mod: mod.name)
def test_the_examples_are_won_by_their_reference_and_lost_by_a_newcomer(mod: Path, tmp_path: Path) -> None:
    assert main(["run", str(mod)]) == 0
    script = next((mod / "levels").glob("*.py"))
    layout = tmp_path / "naive.json"
    layout.write_text(json.dumps(load(str(script)).naive))
    assert main(["run", str(script), "--layout", str(layout)]) == 1


@pytest.mark.long
@pytest.mark.parametrize("mod", EXAMPLES, ids=lambda mod: mod.name)
def test_the_examples_hold_on_five_seeds(mod: Path) -> None:
    level = load(str(next((mod / "levels").glob("*.py"))))
    for seed in range(1, 6):
        assert play(level, seed, layout_from_data(level.reference)).passed
        lost = play(level, seed, layout_from_data(level.naive))
        assert level.naive_fails in [judged.goal.metric for judged in lost.judge() if not judged.met]


def test_check_tells_all_that_is_wrong_with_file_line_and_field(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "two_to_one"
    shutil.copytree(ROOT / "mods" / "two_to_one", folder)
    script = folder / "levels" / "two_to_one.py"
    source = script.read_text()
    script.write_text(
        source.replace("width=16", "width=13").replace('"10gbe"', '"10gb"').replace("hints=3", "hints=-3")
    )
    assert main(["check", str(folder)]) == 1
    lines = capsys.readouterr().out.splitlines()
    told = [line.split(": ")[:2] for line in lines[:-1]]
    assert [field for _, field in told] == ["link", "docks[1]", "hints"]
    for place, name in told:
        file, _, line = place.rpartition(":")
        assert file == f"{folder}/levels/two_to_one.py"
        assert name.split("[")[0] in script.read_text().splitlines()[int(line) - 1]
    assert lines[-1] == "refused: 3 problems"


def test_check_takes_a_script_a_zip_and_says_2_to_anything_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", str(ROOT / "mods" / "morning_rush" / "levels" / "morning_rush.py")]) == 0
    packed = shutil.make_archive(str(tmp_path / "morning_rush"), "zip", ROOT / "mods", "morning_rush")
    assert main(["check", packed]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "accepted: morning_rush.py, level morning_rush",
        "accepted: morning_rush 1.0.0, level morning_rush/morning_rush",
    ]
    broken = tmp_path / "a.py"
    broken.write_text("LEVEL = 1 / 0\n")
    assert main(["check", str(broken), "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["accepted"], told["problems"][0]["line"]) == (False, 1)
    assert main(["check", str(tmp_path / "nothing")]) == 2
    (tmp_path / "text.txt").write_text("x")
    assert main(["check", str(tmp_path / "text.txt")]) == 2
