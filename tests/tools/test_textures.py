"""Pictures are imported by a real headless Godot when they are new or changed, and only then."""

from pathlib import Path

import pytest
from PIL import Image

from tools import textures

pytestmark = pytest.mark.godot


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "project.godot").write_text('config_version=4\n\n[application]\n\nconfig/name="test"\n')
    for folder in ("seen", "unseen", ".hidden"):
        (tmp_path / folder).mkdir()
        Image.new("RGB", (8, 8), "red").save(tmp_path / folder / "picture.png")
    (tmp_path / "unseen" / ".gdignore").touch()
    return tmp_path


def test_pictures_are_imported_once_and_again_when_they_change(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    picture = project / "seen" / "picture.png"
    settings = (project / "project.godot").read_bytes()
    assert textures.sources(project) == [picture]
    assert textures.stale(project) == [picture]
    textures.install(project)
    assert textures.stale(project) == []
    assert list((project / ".import").glob("picture.png-*.stex"))
    assert (project / "project.godot").read_bytes() == settings, "the working tree is left as it was"

    monkeypatch.setattr(textures, "_edit_until_imported", lambda _: pytest.fail("Godot was started for nothing"))
    textures.install(project)
    monkeypatch.undo()

    Image.new("RGB", (8, 8), "blue").save(picture)
    assert textures.stale(project) == [picture]
    textures.install(project)
    assert textures.stale(project) == []


def test_a_lost_product_is_made_again(project: Path) -> None:
    textures.install(project)
    next((project / ".import").glob("picture.png-*.stex")).unlink()
    assert textures.stale(project) == [project / "seen" / "picture.png"]
    textures.install(project)
    assert textures.stale(project) == []
