"""Running other programs: quiet when they succeed, their last words when they fail."""

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from tools.paths import LOG, ROOT, Problem, build_folder


def say(text: str) -> None:
    """Print a progress line."""
    print(f"factory: {text}", flush=True)


def run_logged(
    command: Sequence[str],
    timeout_s: float = 1800,
    env: Mapping[str, str] | None = None,
    stdin: int | None = None,
    log_file: Path = LOG,
) -> int:
    """Run a program with its output in a log, and return its exit status (negative: the signal that ended it).

    Raises Problem if it does not exist or takes longer than `timeout_s`.
    """
    build_folder()
    with log_file.open("ab") as log:
        log.write(f"\n$ {' '.join(command)}\n".encode())
        log.flush()
        try:
            return subprocess.run(
                command,
                cwd=ROOT,
                env=env,
                stdin=stdin,
                stdout=log,
                stderr=subprocess.STDOUT,
                timeout=timeout_s,
                check=False,
            ).returncode
        except FileNotFoundError:
            raise Problem(f"{command[0]} is not installed") from None
        except subprocess.TimeoutExpired:
            raise Problem(f"{command[0]} did not end within {timeout_s:.0f} s (details in {log_file})") from None


def must(command: Sequence[str], failure: str, log_file: Path = LOG, timeout_s: float = 1800) -> None:
    """Run a program with its output in a log; raise Problem with `failure` and the log's last line if it fails."""
    if run_logged(command, timeout_s, log_file=log_file) == 0:
        return
    lines = [line.strip() for line in log_file.read_text("utf-8", "replace").splitlines() if line.strip()]
    raise Problem(f"{failure}: {lines[-1][:200]} (details in {log_file})")
