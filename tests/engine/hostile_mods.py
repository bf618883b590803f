"""Level scripts that mean harm. `@NAME@` is put in by the tests.

`REFUSED`: what each tries is refused, and it ends with the exception that it does not catch; the process goes on, so
they share one. `ENDED`: the process has to be ended, so each has one of its own. `LIES`: levels and answers that cannot
be. `HOOKS`: levels that load, and whose hook means harm.
"""

import platform

GOOD = """from engine.level import *
from engine.level import BreakPad, ChangeTraffic, Every, Grant, Message
from engine.units import seconds

def hook(run):
    return []

@HOOK@

LEVEL = Level(
    number=0,
    id="hostile",
    width=12,
    height=8,
    model="llama-3.1-8b",
    link="5gbase-t",
    pads=[PadSpec("l4", 3, 0, 4, 4), PadSpec("l4", 6, 4, 4, 4)],
    docks=[Dock("prompt_dock", 0, 1), Dock("token_dock", 10, 5)],
    traffic=Traffic(seconds(1.8), seconds(0.15), Lengths(4096, 4096), Lengths(64, 64)),
    allowed={"prefill_core": 2, "decode_core": 2},
    settings={
        "prefill_core": {"max_num_batched_tokens": Setting(4096, 4096, 4096)},
        "decode_core": {"max_num_seqs": Setting(4, 1, 8)},
    },
    goals=[Goal("tps", 30, at_least=True)],
    warmup_s=5,
    end_s=12,
    hooks=[Every(1, hook)],
)
"""

_CALL = """
import ctypes, errno, os
libc = ctypes.CDLL(None, use_errno=True)
def call(*words):
    if libc.syscall(*map(ctypes.c_long, words)) == -1:
        raise OSError(ctypes.get_errno(), "refused")
"""

_UNIX = "import socket; socket.socket(socket.AF_UNIX)."
_HERE = "from pathlib import Path\nhere = Path(__file__).parent\n"

# Name -> source, and the exceptions one of which it has to end with.
REFUSED: dict[str, tuple[str, str]] = {
    # files
    "reads_passwords": ("open('/etc/passwd').read()", "PermissionError"),
    "reads_a_save": ("open('@CANARY@/saves/slot-1.save', 'rb').read()", "PermissionError"),
    "lists_the_saves": ("import os; os.listdir('@CANARY@/saves')", "PermissionError"),
    "follows_a_link_out": (_HERE + "(here / 'link').read_text()", "PermissionError"),
    "follows_a_linked_folder_out": (_HERE + "(here / 'linked' / 'player.json').read_text()", "PermissionError"),
    "climbs_out": (_HERE + "(here / '..' / 'canary' / 'player.json').read_text()", "PermissionError"),
    "reads_another_mod": ("open('@OTHER@/secret.py').read()", "PermissionError"),
    "imports_another_mod": ("import sys; sys.path.insert(0, '@OTHER@'); import secret", "ModuleNotFoundError"),
    "overwrites_a_save": ("open('@CANARY@/saves/slot-1.save', 'w')", "PermissionError"),
    "appends_to_a_save": ("open('@CANARY@/saves/slot-1.save', 'a')", "PermissionError"),
    "makes_a_file": ("open('@CANARY@/new', 'x')", "PermissionError"),
    "makes_a_folder": ("import os; os.mkdir('@CANARY@/new')", "PermissionError"),
    "removes_a_save": ("import os; os.remove('@CANARY@/saves/slot-1.save')", "PermissionError"),
    "removes_all_saves": ("import shutil; shutil.rmtree('@CANARY@/saves')", "PermissionError"),
    "moves_a_save": ("import os; os.rename('@CANARY@/player.json', 'mine')", "PermissionError|OSError"),
    "cuts_a_save_short": ("import os; os.truncate('@CANARY@/player.json', 0)", "PermissionError"),
    "opens_to_cut_short": ("import os; os.open('@CANARY@/player.json', os.O_RDONLY | os.O_TRUNC)", "PermissionError"),
    "changes_a_mode": ("import os; os.chmod('@CANARY@/player.json', 0)", "PermissionError"),
    "changes_an_owner": ("import os; os.chown('@CANARY@/player.json', 1, 1)", "PermissionError"),
    "changes_a_time": ("import os; os.utime('@CANARY@/player.json', (0, 0))", "PermissionError"),
    "sets_an_attribute": ("import os; os.setxattr('@CANARY@/player.json', 'user.x', b'1')", "PermissionError"),
    "links_a_save": ("import os; os.link('@CANARY@/player.json', 'mine')", "PermissionError|OSError"),
    "makes_a_link": ("import os; os.symlink('@CANARY@', 'mine')", "PermissionError"),
    "makes_a_pipe": ("import os; os.mkfifo('pipe')", "PermissionError"),
    "makes_a_device": ("import os, stat; os.mknod('disk', stat.S_IFBLK | 0o600, os.makedev(8, 0))", "PermissionError"),
    "changes_root": ("import os; os.chroot('@CANARY@')", "PermissionError"),
    "goes_by_a_descriptor": (
        "import os; os.read(os.open('player.json', os.O_RDONLY, dir_fd=os.open('@CANARY@', os.O_PATH)), 1)",
        "PermissionError",
    ),
    "maps_a_save": (
        "import mmap, os; mmap.mmap(os.open('@CANARY@/player.json', os.O_RDWR), 0)[:] ",
        "PermissionError",
    ),
    "writes_into_its_own_folder": ("open(__file__, 'a').write('#')", "PermissionError"),
    "writes_into_the_engine": ("import engine; open(engine.__file__, 'a')", "PermissionError"),
    "writes_a_huge_file": ("open('big', 'wb').write(bytes(5_000_000)); open('big', 'ab').write(b'1')", "OSError"),
    "reads_the_games_memory": ("open('/proc/@PARENT@/mem', 'rb')", "PermissionError"),
    "opens_the_games_files": ("open('/proc/@PARENT@/fd/0', 'rb')", "PermissionError"),
    "reads_the_games_environment": ("open('/proc/@PARENT@/environ', 'rb')", "PermissionError"),
    "reads_its_own_environment": ("open('/proc/self/environ', 'rb')", "PermissionError"),
    "writes_its_own_memory": ("open('/proc/self/mem', 'r+b')", "PermissionError"),
    "looks_for_keys": ("import os; [os.environ[key] for key in ('HOME', 'PATH', 'SECRET')]", "KeyError"),
    "opens_a_terminal": ("open('/dev/tty', 'w')", "PermissionError|OSError"),
    "fills_shared_memory": (
        "from multiprocessing import shared_memory; shared_memory.SharedMemory(create=True, size=1)",
        "PermissionError|ImportError|ModuleNotFoundError",
    ),
    # network
    "opens_tcp": ("import socket; socket.create_connection(('127.0.0.1', @PORT@))", "PermissionError|OSError"),
    "opens_udp": ("import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM)", "PermissionError"),
    "opens_udp_6": ("import socket; socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)", "PermissionError"),
    "opens_a_unix_socket": (_UNIX + "connect('@CANARY@/socket')", "PermissionError"),
    "opens_an_abstract_socket": (_UNIX + "connect('\\0@ABSTRACT@')", "PermissionError"),
    "opens_netlink": ("import socket; socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)", "PermissionError"),
    "pairs_sockets": ("import socket; socket.socketpair()", "PermissionError"),
    "asks_a_name_server": ("import socket; socket.getaddrinfo('localhost.example', 80)", "OSError|gaierror"),
    # processes, threads, signals
    "forks": ("import os; os.fork()", "PermissionError"),
    "forks_a_terminal": ("import os; os.forkpty()", "PermissionError|OSError"),
    "starts_a_shell": ("import os; assert os.system('true') != 0; raise PermissionError", "PermissionError"),
    "starts_a_program": ("import subprocess; subprocess.run(['/bin/true'])", "PermissionError"),
    "spawns_a_program": ("import os; os.posix_spawn('/bin/true', ['true'], {})", "PermissionError"),
    "becomes_a_program": ("import os; os.execv('/bin/true', ['true'])", "PermissionError"),
    "starts_a_thread": ("import threading; threading.Thread(target=print).start()", "RuntimeError"),
    "starts_a_pool": (
        "from concurrent.futures import ThreadPoolExecutor; ThreadPoolExecutor().submit(print)",
        "RuntimeError",
    ),
    "signals_the_game": ("import os; os.kill(@PARENT@, 0)", "PermissionError"),
    "signals_everybody": ("import os; os.kill(-1, 0)", "PermissionError"),
    "signals_a_group": ("import os; os.killpg(@PARENT@, 0)", "PermissionError"),
    "signals_by_descriptor": ("import os; os.pidfd_open(@PARENT@)", "PermissionError"),
    "owns_a_descriptor": ("import fcntl; fcntl.fcntl(3, fcntl.F_SETOWN, @PARENT@)", "PermissionError"),
    "makes_a_pipe_slow": ("import fcntl; fcntl.fcntl(3, fcntl.F_SETFL, 2048)", "PermissionError"),
    "raises_its_limits": (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY,) * 2)",
        "PermissionError|ValueError",
    ),
    "raises_the_games_limits": (
        "import resource; resource.prlimit(@PARENT@, resource.RLIMIT_CPU, (1, 1))",
        "PermissionError|ValueError",
    ),
    "wants_to_be_first": ("import os; os.setpriority(os.PRIO_PROCESS, 0, -20)", "PermissionError"),
    "picks_its_processors": ("import os; os.sched_setaffinity(0, {0})", "PermissionError"),
    "becomes_another_user": ("import os; os.setuid(1)", "PermissionError"),
    # the kernel, without Python's help (numbers of x86-64)
    "calls_fork": (_CALL + "call(57)", "PermissionError"),
    "calls_clone3": (_CALL + "call(435, 0, 0)", "PermissionError"),
    "calls_ptrace": (_CALL + "call(101, 16, @PARENT@, 0, 0)", "PermissionError"),
    "calls_process_vm_readv": (_CALL + "call(310, @PARENT@, 0, 0, 0, 0, 0)", "PermissionError"),
    "calls_pidfd_getfd": (_CALL + "call(438, 3, 0, 0)", "PermissionError"),
    "calls_inotify": (_CALL + "call(253)", "PermissionError"),
    "calls_shmget": (_CALL + "call(29, 0, 4096, 0o1600)", "PermissionError"),
    "calls_process_vm_writev": (_CALL + "call(311, @PARENT@, 0, 0, 0, 0, 0)", "PermissionError"),
    "calls_memfd_create": (_CALL + "call(319, 0, 0)", "PermissionError"),
    "calls_execveat": (_CALL + "call(322, 0, 0, 0, 0, 0)", "PermissionError"),
    "calls_io_uring_setup": (_CALL + "call(425, 8, 0)", "PermissionError"),
    "calls_userfaultfd": (_CALL + "call(323, 0)", "PermissionError"),
    "calls_bpf": (_CALL + "call(321, 0, 0, 0)", "PermissionError"),
    "calls_keyctl": (_CALL + "call(250, 0, 0, 0, 0, 0)", "PermissionError"),
    "calls_mount": (_CALL + "call(165, 0, 0, 0, 0, 0)", "PermissionError"),
    "calls_unshare": (_CALL + "call(272, 0x10000000)", "PermissionError"),
    "calls_setns": (_CALL + "call(308, 0, 0)", "PermissionError"),
    "calls_openat2": (_CALL + "call(437, -100, 0, 0, 24)", "PermissionError"),
    "outlives_the_game": (_CALL + "call(157, 1, 0)", "PermissionError"),
    "takes_its_walls_down": (_CALL + "call(157, 22, 0)", "PermissionError"),
    "breaks_pages": (_CALL + "call(28, 0, 4096, 100)", "PermissionError"),
    "types_into_a_terminal": (_CALL + "call(16, 0, 0x5412, 0)", "OSError"),
    # memory
    "takes_a_gigabyte": ("bytearray(1_000_000_000)", "MemoryError"),
    "takes_it_bit_by_bit": ("held = []\nwhile True: held.append(bytearray(1_000_000))", "MemoryError"),
    "takes_it_by_numpy": ("import numpy; numpy.ones(200_000_000)", "MemoryError"),
    "maps_a_gigabyte": ("import mmap; mmap.mmap(-1, 1 << 30)", "OSError"),
    "counts_too_far": ("x = 1 << 10**10", "MemoryError|OverflowError"),
    # Python
    "recurses": ("def f(): f()\nf()", "RecursionError"),
    "is_no_python": ("def def def", "SyntaxError"),
    "is_no_text": ("'\ud800'", "UnicodeEncodeError|SyntaxError|UnicodeDecodeError"),
    "has_zeros": ("x = '\0'", "SyntaxError|ValueError"),
    "nests_too_deep": ("x = " + "(" * 500 + ")" * 500, "SyntaxError|MemoryError|RecursionError"),
    "exits": ("import sys; sys.exit()", "SystemExit"),
    "interrupts": ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    "says_nothing": ("class E(Exception):\n def __str__(self): raise E\nraise E", "E"),
    "says_too_much": ("raise ValueError('x' * 10_000_000)", "ValueError"),
    "says_it_upside_down": ("raise ValueError('a\\n\\x1b[31m\\u202eb')", "ValueError"),
    "has_an_odd_name": ("raise type('E\\n\\x1b[2J\\u202e' + 'x' * 10_000, (Exception,), {})", "E"),
    "lies_about_its_class": (
        "class M(type):\n  def __getattribute__(c, n): raise BaseException('meta')\n"
        "class E(Exception, metaclass=M): pass\nraise E",
        "E|BaseException|\\?",
    ),
    "declares_nothing": ("x = 1", ""),
    "declares_a_lookalike": (
        "class L:\n  __class__ = property(lambda self: __import__('engine.level').level.Level)\nLEVEL = L()",
        "",
    ),
    "floods_the_output": (
        "import os, sys\nfor _ in range(200): print('x' * 100_000); sys.stderr.write('y' * 100_000)\n"
        "os.write(1, b'z' * 100_000); os.write(2, b'z' * 100_000); 1 / 0",
        "ZeroDivisionError",
    ),
    "traces": ("import sys; sys.settrace(lambda *a: 1 / 0); (lambda: 0)()", "ZeroDivisionError"),
    "waits_for_the_end": ("import atexit; atexit.register(open, '@CANARY@/late', 'w'); 1 / 0", "ZeroDivisionError"),
    "leaves_a_finalizer": (
        "class F:\n  def __del__(self): open('@CANARY@/late', 'w')\nf = F(); f.f = f; 1 / 0",
        "ZeroDivisionError",
    ),
}  # fmt: skip

_PIPE = """
import os, msgpack, time
def send(data):
    for pipe in range(3, 12):
        try: os.write(pipe, data)
        except OSError: pass
def frame(message):
    data = message if isinstance(message, bytes) else msgpack.packb(message)
    return len(data).to_bytes(4, "big") + data
"""

# Name -> source, and the code that it has to end with.
ENDED: dict[str, tuple[str, str]] = {
    "loops": ("while True: pass", "worker.slow"),
    "loops_and_catches": ("while True:\n try:\n  while True: pass\n except BaseException: pass", "worker.slow"),
    "loops_in_c": ("import re; re.match('(a+)+$', 'a' * 40 + 'b')", "worker.slow"),
    "counts_for_ever": ("x = 9 ** 9 ** 9", "worker.slow|worker.memory|worker.raised"),
    "sleeps": ("import time; time.sleep(1000)", "worker.slow"),
    "ignores_signals": (
        "import signal\nfor s in range(1, 65):\n try: signal.signal(s, signal.SIG_IGN)\n"
        " except (OSError, ValueError): pass\nwhile True: pass",
        "worker.slow",
    ),
    "loops_in_its_words": ("class E(Exception):\n def __str__(self):\n  while True: pass\nraise E", "worker.slow"),
    "exits_at_once": ("import os; os._exit(0)", "worker.ended"),
    "exits_with_a_status": ("import os; os._exit(77)", "worker.ended"),
    "aborts": ("import os; os.abort()", "worker.ended"),
    "crashes": ("import ctypes; ctypes.string_at(0)", "worker.ended"),
    "recurses_in_c": (
        "import sys; sys.setrecursionlimit(10**9)\nclass A:\n def __repr__(self): return repr([self])\nrepr(A())",
        "worker.ended|worker.memory|worker.raised|worker.slow",
    ),
    "calls_x32": (_CALL + "call(0x40000000 + 39)", "worker.ended"),
    "calls_as_32_bit": (
        "import ctypes, mmap\ncode = mmap.mmap(-1, 4096, prot=7)\ncode.write(bytes.fromhex('b814000000cd80c3'))\n"
        "ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()",
        "worker.ended",
    ),
    "closes_the_pipe": ("import os; os.closerange(0, 100)", "worker.ended"),
    "writes_rubbish": (_PIPE + "send(b'\\xff' * 1000)", "worker.message"),
    "claims_too_much": (_PIPE + "send(b'\\xff\\xff\\xff\\xff')", "worker.message"),
    "sends_half": (_PIPE + "send(b'\\0\\0\\x10\\0half'); time.sleep(1000)", "worker.slow"),
    "sends_no_messagepack": (_PIPE + "send(frame(b'\\xc1\\xc1'))", "worker.message"),
    "sends_no_map": (_PIPE + "send(frame([1, 2, 3]))", "worker.message"),
    "nests_a_message": (_PIPE + "send(frame(b'\\x81\\xa1a' + b'\\x91' * 200 + b'\\xc0'))", "worker.message"),
    "nests_a_message_deep": (_PIPE + "send(frame(b'\\x91' * 500_000))", "worker.message"),
    "sends_a_million_lists": (
        _PIPE + "send(frame(b'\\x81\\xa1a\\xdd' + (900_000).to_bytes(4, 'big') + b'\\x90' * 900_000))",
        "worker.message",
    ),
    "sends_a_million_nothings": (
        _PIPE + "send(frame(b'\\x81\\xa1a\\xdd' + (900_000).to_bytes(4, 'big') + b'\\xc0' * 900_000))",
        "worker.message",
    ),
    "sends_bytes": (_PIPE + "send(frame({'level': b'x'}))", "worker.message"),
    "sends_an_extension": (_PIPE + "send(frame({'level': msgpack.ExtType(5, b'x')}))", "worker.message"),
    "sends_a_time": (_PIPE + "send(frame({'level': msgpack.Timestamp(1)}))", "worker.message"),
    "sends_half_a_character": (_PIPE + "send(frame(b'\\x81\\xa1a\\xa2\\xed\\xa0'))", "worker.message"),
    "sends_odd_keys": (_PIPE + "send(frame(b'\\x81\\x01\\x02'))", "worker.message"),
    "sends_an_unknown_problem": (
        _PIPE + "send(frame({'problem': {'code': 'no.such', 'params': {}, 'file': '', 'line': 1}}))",
        "worker.message",
    ),
    "sends_a_problem_of_lists": (
        _PIPE + "send(frame({'problem': {'code': 'worker.raised', 'params': {'error': [], 'detail': {}},"
        " 'file': '', 'line': 1}}))",
        "worker.message",
    ),
    "answers_before_it_is_asked": (_PIPE + "send(frame({'level': {}}) * 3)", "data.field|level.interface_old"),
    "answers_nothing_it_was_asked": (_PIPE + "send(frame({}))", "data.field"),
    "floods_the_pipe": (_PIPE + "while True: send(frame({'level': 'x' * 900_000}))", "data.field|worker.slow"),
    "patches_the_engine": (
        "import engine.mods.worker as w, engine.mods.wire as wire, os\n"
        "wire.write = lambda pipe, message: os.write(pipe, b'\\xff' * 100)",
        "worker.message",
    ),
    "patches_the_words": (
        "import engine.mods.worker as w\nw.level_to_data = lambda level: {'number': float('nan')}\n@GOOD@",
        "data.field",
    ),
    "patches_builtins": (
        "import builtins\nfor name in ('isinstance', 'len', 'str', 'dict', 'type'):\n"
        " setattr(builtins, name, lambda *a: 1 / 0)\nLEVEL = 1",
        "worker.*",
    ),
    "fills_the_scratch_folder": (
        "import time\nfor i in range(100_000):\n open(f'f{i}', 'x').write('x')\n"
        "time.sleep(10)",
        "worker.scratch",
    ),
}  # fmt: skip

# Name -> what is said after the level, the field, and the code.
LIES: dict[str, tuple[str, str, str]] = {
    "negative_traffic": ("traffic=Traffic(-5, 0, Lengths(1, 1), Lengths(1, 1))", "traffic.interval_ps", "check.range"),
    "endless_traffic": ("traffic=Traffic(1, 0, Lengths(1, 1), Lengths(1, 1))", "traffic.interval_ps", "check.range"),
    "traffic_that_is_nan": ("traffic=attrs.evolve(LEVEL.traffic, jitter_ps=float('nan'))", "traffic.*", "data.field"),
    "goal_that_is_nan": ("goals=[Goal('tps', float('nan'))]", "goals[0].target", "data.field"),
    "goal_that_is_infinite": ("goals=[Goal('tps', float('inf'))]", "goals[0].target", "data.field"),
    "acceptance_of_nan": ("acceptance=float('nan')", "acceptance", "data.field"),
    "floor_without_end": ("width=10**9, height=10**9", "width", "check.range"),
    "number_beyond_words": ("width=10**30", "", "data.field"),
    "thousands_of_pads": ("pads=[PadSpec('l4', 0, 0, 1, 1)] * 5000", "pads", "check.count"),
    "thousands_of_docks": ("docks=[Dock('prompt_dock', 0, 0)] * 5000", "docks", "check.count"),
    "thousands_of_hooks": ("hooks=[Every(1, hook, f'h{i}') for i in range(5000)]", "hooks", "check.count"),
    "texts_that_turn_round": ("texts={'en': {'level.hostile.title': 'a\\u202eb'}}", "texts.*", "check.characters"),
    "texts_that_control": ("texts={'en': {'level.hostile.title': 'a\\x1b[2Jb'}}", "texts.*", "check.characters"),
    "texts_too_long": ("texts={'en': {'level.hostile.title': 'x' * 100_000}}", "texts.*", "check.long"),
    "id_with_a_newline": ("id='hostile\\n'", "id", "check.name"),
    "id_that_climbs": ("id='../../saves/slot-1'", "id", "check.name"),
    "id_that_is_no_text": ("id=7", "id", "data.field"),
    "hook_with_a_newline": ("hooks=[Every(1, hook, 'a\\nb')]", "hooks[0].name", "check.name"),
    "hooks_of_one_name": ("hooks=[Every(1, hook), Every(2, hook)]", "hooks[1].name", "check.twice"),
    "a_gpu_of_its_own": ("pads=[PadSpec('/etc/passwd', 3, 0, 4, 4)]", "pads[0].gpu", "check.unknown"),
    "a_model_of_its_own": ("model='../../../etc/passwd'", "model", "check.unknown"),
    "fields_of_other_kinds": ("pads='all', docks=7, goals=None", ".*", "data.field"),
    "a_run_without_end": ("end_s=10**15", "end_s", "check.range"),
    "a_level_that_is_too_long": ("reference={'x': 'y' * 2_000_000}", "", "data.field"),
    "a_layout_of_rubbish": ("reference={'version': 1, 'machines': 'all'}", "reference", "layout.malformed"),
    "a_layout_that_holds_itself": ("reference=LOOP", "", "data.field"),
    "an_interface_of_the_future": ("interface=99", "interface|", "level.interface_new"),
}  # fmt: skip

# Name -> the hook, and the code that it has to be stopped with.
HOOKS: dict[str, tuple[str, str]] = {
    "loops": ("def hook(run):\n while True: pass", "worker.busy"),
    "sleeps": ("import time\ndef hook(run): time.sleep(100)", "worker.slow"),
    "loops_the_third_time": (
        "def hook(run):\n run.memory['n'] = run.memory.get('n', 0) + 1\n while run.memory['n'] == 3: pass",
        "worker.busy",
    ),
    "exits": ("import os\ndef hook(run): os._exit(0)", "worker.ended"),
    "exits_politely": ("import sys\ndef hook(run): sys.exit()", "worker.raised"),
    "raises": ("def hook(run): 1 / 0", "hook.failed"),
    "raises_without_words": (
        "class E(Exception):\n def __str__(self): raise E\ndef hook(run): raise E",
        "hook.failed|worker.raised",
    ),
    "answers_rubbish": ("def hook(run): return 7", "hook.failed"),
    "answers_a_generator": ("def hook(run): yield Message('x')", "hook.failed"),
    "remembers_too_much": ("def hook(run): run.memory['x'] = 'y' * 10_000", "hook.memory"),
    "remembers_itself": ("def hook(run): run.memory['x'] = run.memory", "hook.memory|hook.failed|data.field"),
    "remembers_nan": ("def hook(run): run.memory['x'] = float('nan')", "hook.memory|hook.failed|worker.message"),
    "remembers_no_map": ("def hook(run): run.memory = 7", "hook.memory|hook.failed|worker.message"),
    "says_it_upside_down": ("def hook(run): return [Message({'en': 'a\\u202eb'})]", "hook.effect|check.characters"),
    "says_ten_thousand_things": ("def hook(run): return [Message({'en': 'a'})] * 10_000", "hook.effect|worker.message"),
    "breaks_a_pad_that_is_not_there": ("def hook(run): return [BreakPad(10**9)]", "hook.effect"),
    "grants_a_billion": ("def hook(run): return [Grant('prefill_core', 10**12)]", "hook.effect"),
    "changes_traffic_to_nan": (
        "def hook(run): return [ChangeTraffic(Traffic(float('nan'), 0, Lengths(1, 1), Lengths(1, 1)))]",
        "data.malformed|hook.*",
    ),
    "reads_a_save": ("def hook(run): open('@CANARY@/player.json')", "hook.failed"),
    "forks": ("import os\ndef hook(run): os.fork()", "hook.failed"),
    "takes_a_gigabyte": ("def hook(run): bytearray(1_000_000_000)", "worker.memory|hook.failed"),
    "writes_rubbish": (_PIPE + "def hook(run): send(b'\\xff' * 1000)", "worker.message"),
    "answers_too_much": (_PIPE + "def hook(run): send(frame({'effects': ['x' * 100_000]}))", "worker.message"),
    "lies_about_effects": (
        _PIPE + "def hook(run): send(frame({'effects': [{'is': 'Win'}], 'memory': {}}))",
        "data.malformed",
    ),
    "answers_and_goes_on": (
        _PIPE + "def hook(run):\n send(frame({'effects': [], 'memory': {}}))\n while True: pass",
        "worker.busy|worker.slow",
    ),
    "is_gone_when_it_is_called": (
        "import engine.mods.worker as w\ndef hook(run): pass\n"
        "w.call = lambda hooks, asked: [{'code': 'no.such', 'params': {}}]",
        "worker.message",
    ),
}  # fmt: skip

if platform.machine() != "x86_64":  # the numbers are others there; test_mod_process.py tries them all
    for _sources in (REFUSED, ENDED):
        for _name in [name for name, (source, _) in _sources.items() if source.startswith(_CALL)]:
            del _sources[_name]
    del ENDED["calls_as_32_bit"]
