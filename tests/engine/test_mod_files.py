"""What a mod says of itself, and the files that it comes in. Nothing of it is trusted."""

import io
import json
import os
import stat
import struct
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image, PngImagePlugin

from engine.errors import EngineError
from engine.mods import archive, files, pictures
from engine.mods.mod import read_mod
from engine.mods.ranges import within
from engine.mods.texts import read_texts
from engine.protocol.codes import CODES

WHOLE = {
    "id": "steady",
    "version": "1.2.0",
    "title": {"en": "Steady", "de": "Stetig"},
    "about": {"en": "Two lines.\nThis is the second."},
    "game": ">=0.1",
    "interface": ">=1,<2",
    "needs": {"other_mod": ">=1.2,<2"},
    "authors": ["Token Factory contributors"],
    "licence": "MIT",
    "levels": ["levels/steady.py"],
    "picture": "pictures/mod.png",
    "pictures": {"steady": "pictures/steady.png"},
}


def written(**changes: Any) -> bytes:
    data = {name: value for name, value in {**WHOLE, **changes}.items() if value is not None}
    return json.dumps(data, indent=1, ensure_ascii=False).encode()


def told(content: bytes, name: str = "steady") -> set[tuple[str, int, str]]:
    """Field, line and code of all that is wrong."""
    _, problems = read_mod(content, name)
    assert all(problem.file == "mod.json" for problem in problems)
    assert all(set(problem.params) == set(CODES[problem.code]) for problem in problems)
    return {(problem.field, problem.line, problem.code) for problem in problems}


def done(work: files.Slow) -> str:
    while True:
        try:
            next(work)
        except StopIteration as end:
            return str(end.value)


# -- mod.json ----------------------------------------------------------------------------------------------------------


def test_a_whole_mod_is_read() -> None:
    mod, problems = read_mod(written(), "steady")
    assert problems == []
    assert mod is not None
    assert (mod.id, mod.needs, mod.levels) == ("steady", {"other_mod": ">=1.2,<2"}, ["levels/steady.py"])


def test_all_that_is_wrong_is_told_at_once_with_its_field_and_line() -> None:
    content = written(
        id="Steady",
        version="one",
        game="=>1",
        needs={"steady!": "", "b": "~~1"},
        levels=["../up.py", "levels/a.txt", "levels/a.txt"],
        title={"de": "Stetig", "klingon": "x" * 61},
        authors=["a\u202eb"],
    )
    lines = content.decode().splitlines()
    for field, line, code in (found := told(content)):
        assert code
        assert field.split(".")[0].split("[")[0] in lines[line - 1] or field.split(".")[-1] in lines[line - 1]
    assert {(field, code) for field, _, code in found} == {
        ("id", "mod.id"),
        ("version", "mod.version"),
        ("game", "mod.range"),
        ("needs.b", "mod.range"),
        ("needs.steady!", "mod.id"),
        ("levels[0]", "mod.name"),
        ("levels[1]", "mod.ending"),
        ("levels[2]", "mod.ending"),
        ("levels[2]", "mod.level_twice"),
        ("title", "mod.title_english"),
        ("title.klingon", "text.language"),
        ("title.klingon", "check.long"),
        ("authors[0]", "check.characters"),
    }


def test_fields_that_are_missing_unknown_or_of_another_kind() -> None:
    content = written(version=None, author="x", levels="levels/steady.py", title={"en": 7})
    assert {(field, code) for field, _, code in told(content)} == {
        ("version", "mod.field_missing"),
        ("author", "mod.field_unknown"),
        ("levels", "mod.field_kind"),
        ("title.en", "mod.field_kind"),
    }


def test_a_mistake_in_the_json_is_told_with_its_line() -> None:
    assert told(b'{\n "id": "steady",\n "version" "1"\n}') == {("", 3, "mod.json")}
    assert told(b"[1]") == {("", 0, "mod.json")}
    assert told(b"\xff") == {("", 0, "mod.json")}
    assert told(b"[" * 60_000) == {("", 0, "mod.json")}
    assert told(b" " * 70_000) == {("", 0, "mod.file_large")}


def test_a_mod_is_called_as_its_folder() -> None:
    assert told(written(), "steady-main") == {("id", 2, "mod.id_folder")}


@pytest.mark.parametrize("id", ["con", "nul", "com1", "Steady", "a b", "a/b", "..", "", "a" * 41, "ä", "9a", "a\n"])
def test_ids_are_names_everywhere(id: str) -> None:
    assert ("id", 2, "mod.id") in told(written(id=id), id)


@settings(max_examples=100, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
        max_leaves=8,
    ),
    st.sampled_from(sorted(WHOLE)),
)
def test_any_json_is_a_mod_or_is_refused(value: Any, name: str) -> None:
    told(json.dumps({**WHOLE, name: value}).encode())
    told(json.dumps(value).encode())


@pytest.mark.parametrize(
    ("version", "wanted", "inside"),
    [
        ("1.2.0", ">=1.2,<2", True),
        ("2.0", ">=1.2,<2", False),
        ("1.10", ">1.9", True),
        ("0.1.0", "", True),
        ("1.3rc1", ">=1.2", True),
        ("1.3rc1", ">=1.3", False),
        ("1.4.2", "==1.4.*", True),
        ("1.5", "!=1.5", False),
    ],
)
def test_ranges_of_versions(version: str, wanted: str, inside: bool) -> None:
    assert within(version, wanted) is inside


@pytest.mark.parametrize("wanted", ["1.2", ">=", ">=1 || <3", "^1.2", "latest", ">=1," * 40])
def test_what_is_no_range(wanted: str) -> None:
    with pytest.raises(EngineError) as refused:
        within("1", wanted)
    assert refused.value.code == "mod.range"


# -- folders -----------------------------------------------------------------------------------------------------------


def mod_folder(place: Path) -> Path:
    folder = place / "steady"
    (folder / "levels").mkdir(parents=True)
    (folder / "levels" / "steady.py").write_text("LEVEL = 1\n")
    (folder / "mod.json").write_bytes(written())
    return folder


def test_equal_content_has_an_equal_hash_whatever_python_leaves_beside_it(tmp_path: Path) -> None:
    folder = mod_folder(tmp_path / "a")
    before = done(files.look_through(folder))
    assert done(files.look_through(mod_folder(tmp_path / "b"))) == before
    (folder / "levels" / "__pycache__").mkdir()
    (folder / "levels" / "__pycache__" / "steady.pyc").write_bytes(b"x")
    (folder / ".git").mkdir()
    assert done(files.look_through(folder)) == before
    (folder / "levels" / "steady.py").write_text("LEVEL = 2\n")
    assert done(files.look_through(folder)) != before


def refusal(work: files.Slow) -> str:
    with pytest.raises(EngineError) as refused:
        done(work)
    assert set(refused.value.params) == set(CODES[refused.value.code])
    return refused.value.code


def test_links_devices_and_too_much_are_refused(tmp_path: Path) -> None:
    folder = mod_folder(tmp_path / "a")
    (folder / "secret").symlink_to("/etc/passwd")
    assert refusal(files.look_through(folder)) == "mod.link"
    (folder / "secret").unlink()
    (folder / "there").symlink_to(tmp_path)
    assert refusal(files.look_through(folder)) == "mod.link"
    (folder / "there").unlink()
    os.mkfifo(folder / "pipe")
    assert refusal(files.look_through(folder)) == "mod.link"
    (folder / "pipe").unlink()
    for name in ("nul.txt", "a\nb", "b\\c", "end.", "ä"):
        (folder / name).write_text("x")
        assert refusal(files.look_through(folder)) == "mod.name"
        (folder / name).unlink()
    (folder / "Levels").mkdir()
    (folder / "Levels" / "steady.py").write_text("")
    assert refusal(files.look_through(folder)) == "mod.same_name"
    (folder / "Levels" / "steady.py").unlink()
    with (folder / "large.csv").open("wb") as file:
        file.truncate(files.MAX_FILE_BYTES + 1)
    assert refusal(files.look_through(folder)) == "mod.file_large"
    (folder / "large.csv").unlink()
    for number in range(files.MOST_FILES):
        (folder / f"{number}.txt").touch()
    assert refusal(files.look_through(folder)) == "mod.files"


# -- zips --------------------------------------------------------------------------------------------------------------


def zipped(path: Path, entries: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in entries.items():
            info = zipfile.ZipInfo("x")
            info.filename = info.orig_filename = name
            info.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(info, content)
    return path


GOOD = {"mod.json": written(), "levels/steady.py": b"LEVEL = 1\n"}


@pytest.mark.parametrize("top", ["", "steady/", "steady-1.2/"])
def test_a_zip_is_unpacked_once_with_or_without_a_folder_in_it(tmp_path: Path, top: str) -> None:
    path = zipped(tmp_path / "steady.zip", {f"{top}{name}": content for name, content in GOOD.items()})
    digest = done(archive.unpack(path, tmp_path / "cache"))
    inside = tmp_path / "cache" / digest
    assert (inside / "levels" / "steady.py").read_bytes() == GOOD["levels/steady.py"]
    assert sorted(each.name for each in inside.iterdir()) == ["levels", "mod.json"]
    before = (inside / "mod.json").stat().st_mtime_ns
    assert done(archive.unpack(path, tmp_path / "cache")) == digest
    assert (inside / "mod.json").stat().st_mtime_ns == before


@pytest.mark.parametrize(
    "name",
    [
        "../evil.py",
        "levels/../../evil.py",
        "/etc/evil",
        "C:/evil.py",
        "C:evil.py",
        "\\\\server\\share\\evil",
        "levels\\evil.py",
        "..\\evil.py",
        "nul",
        "levels/con.py",
        "lpt1.txt",
        "line\nbreak.py",
        "zero\0.py",
        "blank .py/x ",
        "dot.",
        "a//b",
        "./a",
        "~/x",
        "x" * 200,
        "/".join("abcdefghij"),
        ".hidden/../../evil",
        "streams.py:evil",
    ],
)
def test_no_name_leads_out_of_the_folder(tmp_path: Path, name: str) -> None:
    path = zipped(tmp_path / "steady.zip", {**GOOD, name: b"evil"})
    assert refusal(archive.unpack(path, tmp_path / "cache")) in ("mod.name", "zip.broken")
    assert list((tmp_path / "cache").iterdir()) == []
    assert sorted(each.name for each in tmp_path.iterdir()) == ["cache", "steady.zip"]


@pytest.mark.parametrize(
    "names", [("levels/Steady.py",), ("Levels/other.py",), ("levels",), ("mod.json/x",), ("MOD.JSON",)]
)
def test_names_that_are_the_same_file_somewhere_are_refused(tmp_path: Path, names: tuple[str, ...]) -> None:
    path = zipped(tmp_path / "steady.zip", {**GOOD, **dict.fromkeys(names, b"x")})
    assert refusal(archive.unpack(path, tmp_path / "cache")) == "mod.same_name"


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_name_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path / "steady.zip", GOOD)
    with zipfile.ZipFile(path, "a") as packed:
        packed.writestr("mod.json", b"{}")
    assert refusal(archive.unpack(path, tmp_path / "cache")) == "mod.same_name"


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR, stat.S_IFSOCK])
def test_links_and_odd_files_in_a_zip_are_refused(tmp_path: Path, kind: int) -> None:
    with zipfile.ZipFile(tmp_path / "steady.zip", "w") as packed:
        info = zipfile.ZipInfo("levels/passwd")
        info.create_system = 3
        info.external_attr = (kind | 0o777) << 16
        packed.writestr(info, "/etc/passwd")
    assert refusal(archive.unpack(tmp_path / "steady.zip", tmp_path / "cache")) == "mod.link"


def test_bombs_are_refused_by_what_they_say_and_by_what_comes_out(tmp_path: Path) -> None:
    bomb = zipped(tmp_path / "bomb.zip", {"mod.json": bytes(4_000_000)})
    assert refusal(archive.unpack(bomb, tmp_path / "cache")) == "zip.ratio"
    huge = zipped(tmp_path / "huge.zip", {"mod.json": bytes(files.MAX_FILE_BYTES + 1)})
    assert refusal(archive.unpack(huge, tmp_path / "cache")) == "mod.file_large"
    many = zipped(tmp_path / "many.zip", {f"{number}.txt": b"" for number in range(files.MOST_FILES + 1)})
    assert refusal(archive.unpack(many, tmp_path / "cache")) == "mod.files"
    more = zipped(tmp_path / "more.zip", {f"{number}.txt": os.urandom(4_900_000) for number in range(5)})
    assert refusal(archive.unpack(more, tmp_path / "cache")) == "mod.bytes"
    # says that it is small, in all places that say so
    content = bytes(3_000_000)
    packed = zipped(tmp_path / "lies.zip", {"mod.json": content}).read_bytes()
    lies = packed.replace(struct.pack("<I", len(content)), struct.pack("<I", 40))
    assert lies != packed
    (tmp_path / "lies.zip").write_bytes(lies)
    assert refusal(archive.unpack(tmp_path / "lies.zip", tmp_path / "cache")) in ("zip.broken", "zip.ratio")
    assert list((tmp_path / "cache").iterdir()) == []


def test_what_is_encrypted_or_packed_otherwise_is_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path / "steady.zip", GOOD)
    content = bytearray(path.read_bytes())
    for at in (content.index(b"PK\3\4") + 6, content.index(b"PK\1\2") + 8):
        content[at] |= 1
    path.write_bytes(content)
    assert refusal(archive.unpack(path, tmp_path / "cache")) == "zip.encrypted"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as packed:
        packed.writestr("mod.json", written())
    assert refusal(archive.unpack(path, tmp_path / "cache")) == "zip.method"
    path.write_bytes(b"no zip")
    assert refusal(archive.unpack(path, tmp_path / "cache")) == "zip.broken"


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 10_000), st.integers(0, 255), st.integers(0, 400))
def test_a_damaged_zip_is_a_mod_or_is_refused(tmp_path: Path, at: int, value: int, cut: int) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, entry in GOOD.items():
            packed.writestr(name, entry)
    content = bytearray(buffer.getvalue())
    content[at % len(content)] = value
    path = tmp_path / "damaged.zip"
    path.write_bytes(content[: len(content) - cut if cut < 40 else None])
    with suppress(EngineError):
        done(archive.unpack(path, tmp_path / "cache"))
    assert not list((tmp_path / "cache").glob("unpacking-*"))


# -- texts and pictures ------------------------------------------------------------------------------------------------


def test_texts_are_for_the_mods_own_levels(tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    path = tmp_path / "texts" / "en.json"
    texts: dict[str, Any] = {
        "level.steady.title": "Steady",
        "TITLE_PLAY": "Evil",
        "level.pages.title": "Evil",
        "tutorial.steady.a": "a\u0007b",
        "hint.steady.1": "x" * 2001,
        "question.steady.q": 7,
    }
    path.write_text(json.dumps(texts, indent=1))
    _, problems = read_texts(path, ["steady"])
    assert [(problem.line, problem.field, problem.code) for problem in problems] == [
        (3, "TITLE_PLAY", "text.code"),
        (4, "level.pages.title", "text.code"),
        (5, "tutorial.steady.a", "check.characters"),
        (6, "hint.steady.1", "check.long"),
        (7, "question.steady.q", "text.kind"),
    ]


def test_a_picture_is_drawn_anew(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    hidden = PngImagePlugin.PngInfo()
    hidden.add_text("Comment", "hidden" * 100)
    Image.new("RGB", (64, 32), (10, 200, 30)).save(path, pnginfo=hidden)
    drawn = pictures.redraw(path, tmp_path / "cache")
    assert b"hidden" not in drawn.read_bytes()
    with Image.open(drawn) as picture:
        assert (picture.size, picture.getpixel((5, 5))) == ((64, 32), (10, 200, 30, 255))


def test_pictures_that_are_none_or_too_large_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    wide = io.BytesIO()
    Image.new("1", (5_000, 5_000)).save(wide, "PNG")
    gif = io.BytesIO()
    Image.new("P", (4, 4)).save(gif, "GIF")
    cases = {
        "picture.pixels": wide.getvalue(),
        "picture.broken": gif.getvalue(),
        "picture.large": bytes(pictures.MAX_BYTES + 1),
    }
    for code, content in cases.items():
        path.write_bytes(content)
        with pytest.raises(EngineError) as refused:
            pictures.redraw(path, tmp_path / "cache")
        assert refused.value.code == code
