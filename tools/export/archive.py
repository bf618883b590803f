"""The zip of an exported folder: the same bytes for the same files, whatever the clock says; and how big what is."""

import time
import zipfile
from collections import Counter
from pathlib import Path

PROGRAM, FILE = 0o100755, 0o100644


def write(folder: Path, seconds: int) -> Path:
    """Zip a folder beside itself, with its name as the first folder inside; `seconds` is the time of all files."""
    path = folder.with_name(f"{folder.name}.zip")
    moment = time.gmtime(seconds)[:6]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            name = f"{folder.name}/{file.relative_to(folder).as_posix()}"
            entry = zipfile.ZipInfo(name, moment)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # Unix, so that programs stay programs
            entry.external_attr = (PROGRAM if file.stat().st_mode & 0o100 else FILE) << 16
            archive.writestr(entry, file.read_bytes(), compresslevel=9)
    return path


def sizes(path: Path) -> list[tuple[str, int, int]]:
    """Return what takes how much: name, bytes, bytes in the zip; the biggest first."""
    whole, zipped = Counter[str](), Counter[str]()
    with zipfile.ZipFile(path) as archive:
        for entry in archive.infolist():
            group = entry.filename.split("/")[1]
            whole[group] += entry.file_size
            zipped[group] += entry.compress_size
    return [(group, whole[group], size) for group, size in zipped.most_common()]


def report(path: Path) -> str:
    """Return a table of sizes, for a person."""
    rows = sizes(path)
    rows.append(("all", sum(row[1] for row in rows), path.stat().st_size))
    return "\n".join(
        f"  {name:28} {whole / 1e6:7.1f} MB  {zipped / 1e6:6.1f} MB zipped" for name, whole, zipped in rows
    )
