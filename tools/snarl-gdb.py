"""gdb's side of `snarl replay --gdb`: commands that know the threads of a run (docs/gdb.md).

`snarl replay --gdb` loads this; `source snarl-gdb.py` does as well, in any program that runs under snarl.
It reads one table of the preloaded runtime (runtime/trace/debugger.h) and changes nothing in the program.
"""

import itertools
import struct

import gdb
import gdb.unwinder

VERSION = 3

RUNTIME = "libsnarl_rt.so"
SYSTEM = (RUNTIME, "libc.so", "libpthread.so", "libstdc++.so", "libgcc_s.so", "ld-linux")
HEAD = struct.Struct("<IIIIIIQQQQQQQQ")
THREAD = struct.Struct("<IiIIiIQQQQQ16s")
# The beginning of struct Context (runtime/fiber/context.h).
SAVED = ("rsp", "fs_base", "rbp", "rip")
# Not SIGILL: where an atomic instruction has no room for a jump, the runtime raises it while gdb looks (gdb would take an
# int3 for its own). The program's own one is a failure, where we stop as well.
FATAL = "SIGSEGV SIGBUS SIGFPE SIGABRT SIGSYS"


class Thread:
    def __init__(self, data):
        (self.ordinal, self.tid, enabled, has_turn, self.waits_for, _, self.object, self.pc, self.start_pc,
         self.context, operation, label) = THREAD.unpack(data)
        self.enabled, self.has_turn = enabled != 0, has_turn != 0
        self.operation, self.label = text_at(operation), label.split(b"\0")[0].decode(errors="replace")

    def name(self):
        return "main" if self.ordinal == 0 else f"T{self.ordinal}"

    def title(self):
        """With its own name, or that of its function."""
        if self.ordinal == 0:
            return "main"
        own = self.label or function_at(self.start_pc)
        return f"{self.name()} {own}" if own else self.name()

    def doing(self):
        thing = "" if self.operation == "join" else object_at(self.object)
        return f"{self.operation} {thing}".strip()

    def waiting(self):
        if self.enabled:
            return "can go on"
        if self.operation == "join":
            return f"waits for {thread_name(self.waits_for)} to end"
        holder = f", held by {thread_name(self.waits_for)}" if self.waits_for >= 0 else ""
        return f"waits{holder}"


class Run:
    """What the runtime's table says now."""

    def __init__(self):
        memory, address = gdb.selected_inferior(), table()
        head = HEAD.unpack(bytes(memory.read_memory(address, HEAD.size)))
        (version, _, count, self.source, self.target, self.switches, self.step, self.switch_step, self.switch_pc,
         operation, reason, outcome, message, _) = head
        if version not in (0, VERSION):
            raise gdb.GdbError("snarl-gdb.py and libsnarl_rt.so are of different versions of snarl")
        self.operation, self.reason = text_at(operation), text_at(reason)
        self.outcome, self.message = text_at(outcome), text_at(message)
        rows = bytes(memory.read_memory(address + HEAD.size, count * THREAD.size)) if count else b""
        self.threads = [Thread(rows[i:i + THREAD.size]) for i in range(0, len(rows), THREAD.size)]
        self.threads.sort(key=lambda thread: thread.ordinal)
        if not self.threads:
            raise gdb.GdbError("the run has not begun, or has ended")

    def thread(self, ordinal):
        for thread in self.threads:
            if thread.ordinal == ordinal:
                return thread
        raise gdb.GdbError(f"there is no thread T{ordinal} now; `snarl threads` lists them")


def table():
    """The address of the runtime's table."""
    if gdb.selected_inferior().pid == 0:
        raise gdb.GdbError("the program is not being run")
    try:
        return int(gdb.parse_and_eval("(unsigned long)&snarl_debug"))
    except gdb.error:
        raise gdb.GdbError("this program does not run under snarl: libsnarl_rt.so is not loaded")


def thread_name(ordinal):
    return "main" if ordinal == 0 else f"T{ordinal}" if ordinal > 0 else "somebody"


def text_at(address):
    return gdb.Value(address).cast(gdb.lookup_type("char").pointer()).string(errors="replace") if address else ""


def function_at(pc):
    if pc == 0:
        return ""
    symbol = gdb.execute(f"info symbol {pc:#x}", to_string=True)
    return "" if symbol.startswith("No symbol") else symbol.split(" in section")[0].split(" + ")[0].strip()


def object_at(address):
    """A name for an object, if it has one."""
    if address == 0:
        return ""
    symbol = gdb.execute(f"info symbol {address:#x}", to_string=True)
    if symbol.startswith("No symbol"):
        return f"{address:#x}"
    return symbol.split(" in section")[0].replace(" + ", "+").strip()


def place_at(pc):
    """File and line of the call that returns to `pc`."""
    if pc == 0:
        return ""
    line = gdb.find_pc_line(pc - 1)
    function = function_at(pc - 1)
    where = f"{line.symtab.filename.rsplit('/', 1)[-1]}:{line.line}" if line.symtab else f"{pc:#x}"
    call = function if function.endswith(")") else f"{function}()"
    return f"{where} {call}" if function else where


def is_program(frame):
    library = (gdb.solib_name(frame.pc()) or "").rsplit("/", 1)[-1]
    return not library.startswith(SYSTEM) and frame.name() != "_start"


def select_program_frame():
    """The innermost frame outside of the runtime and of the system's libraries."""
    frame = gdb.newest_frame()
    if FiberView.view is not None:
        frame = frame.older()  # the first is the carrier's
    while frame is not None and not is_program(frame):
        frame = frame.older()
    (frame or gdb.newest_frame()).select()
    return frame is not None


def show_program_frame():
    """Of a thread that has not begun there is none."""
    if select_program_frame():
        gdb.execute("frame")


class FrameId:
    def __init__(self, sp, pc):
        self.sp, self.pc = sp, pc


class FiberView(gdb.unwinder.Unwinder):
    """Shows a fiber that does not run: its saved registers stand for the caller of the carrier's innermost frame.
    Nothing is written to the program's registers, so it can go on at any time."""

    view = None  # (gdb's thread, stack pointer of its innermost frame, registers of the fiber)

    def __init__(self):
        super().__init__("snarl-fiber")

    @classmethod
    def show(cls, thread):
        memory = gdb.selected_inferior().read_memory(thread.context, 8 * len(SAVED))
        registers = dict(zip(SAVED, struct.unpack(f"<{len(SAVED)}q", bytes(memory))))
        del registers["fs_base"]
        cls.open((gdb.selected_thread().num, int(gdb.newest_frame().read_register("rsp")), registers))
        gdb.newest_frame().older().select()

    @classmethod
    def open(cls, view):
        if view is not None:
            cls.view = view
            gdb.invalidate_cached_frames()

    @classmethod
    def close(cls):
        """Returns what open() takes."""
        view, cls.view = cls.view, None
        if view is not None:
            gdb.invalidate_cached_frames()
        return view

    def __call__(self, pending):
        if FiberView.view is None:
            return None
        thread, top, registers = FiberView.view
        stack = pending.read_register("rsp")
        if int(stack) != top or gdb.selected_thread().num != thread:
            return None
        result = pending.create_unwind_info(FrameId(stack, pending.read_register("rip")))
        for name, value in registers.items():
            kind = pending.read_register(name).type
            result.add_saved_register(name, gdb.Value(value).cast(gdb.lookup_type("long")).cast(kind))
        return result


class ProgramFrames:
    """Begins a backtrace at the program's call, not in the runtime's wait inside of it (bt -no-filters shows all).
    Of a fiber's, the first frame is the carrier's anyway."""

    name, enabled, priority = "snarl", True, 100

    def filter(self, frames):
        is_ours = lambda frame: (gdb.solib_name(frame.inferior_frame().pc()) or "").endswith(RUNTIME)
        skipped = 1 if FiberView.view is not None else 0
        return itertools.dropwhile(is_ours, itertools.islice(frames, skipped, None))


class Failure(gdb.Breakpoint):
    """Stops when the run is about to end with a failure."""

    seen = False

    def __init__(self):
        super().__init__("snarl_debug_failed", internal=True)
        self.silent = True

    def stop(self):
        return not Failure.seen


class Misuse(gdb.Breakpoint):
    """Stops when the misuse is found that the recording was made for."""

    def __init__(self, kind):
        super().__init__("snarl_debug_misuse", internal=True)
        self.silent, self.kind = True, kind

    def stop(self):
        return text_at(int(gdb.parse_and_eval("(unsigned long)$rdi"))) == self.kind


class Turn(gdb.Breakpoint):
    """Stops where a thread gets the turn from another: at the first such place at which there were so many switches."""

    def __init__(self, switches=0):
        super().__init__("snarl_debug_turn", internal=True)
        self.silent, self.switches = True, switches

    def stop(self):
        return self.switches == 0 or Run().switches >= self.switches


class Reached(gdb.Breakpoint):
    """Stops in the call that is the step which the runtime was asked to stop at."""

    wanted = 0  # by `snarl goto`, as soon as the program has been started; 0: the first step of the cause, if it is known
    cause = {}  # steps of the cause's events, each with what happens there

    def __init__(self):
        super().__init__("snarl_debug_reached", internal=True)
        self.silent = True

    @classmethod
    def ask(cls, step):
        """The runtime stops at that step, or at the next one of the cause after it was reached; 0: nowhere."""
        gdb.selected_inferior().write_memory(table() + HEAD.size - 8, struct.pack("<Q", step))

    @classmethod
    def after(cls, step):
        return min((known for known in cls.cause if known > step), default=0)

    @classmethod
    def tell(cls):
        step = Run().step
        print(f"\nsnarl: step {step}" + (f", of the cause: {cls.cause[step]}" if step in cls.cause else ""))
        if step in cls.cause:
            further = cls.after(step)
            print(f"snarl: continue goes to {f'its next event, step {further}' if further else 'the failing step'}")
        cls.ask(cls.after(step))
        show_program_frame()


class Snarl(gdb.Command):
    """The threads of a run under snarl, and its schedule: threads, thread N, next, back, goto STEP, why."""

    def __init__(self):
        super().__init__("snarl", gdb.COMMAND_RUNNING, gdb.COMPLETE_COMMAND, True)


class Start(gdb.Command):
    """snarl start [KIND] [STEP]: runs the program up to that step of its schedule; without it up to the first event of the
    cause, if that is known, and otherwise up to the failing step. KIND: of misuse, if that fails."""

    stops = []  # that make the breakpoints, which need the runtime to be loaded

    def __init__(self):
        super().__init__("snarl start", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        gdb.execute("handle all nostop noprint pass", to_string=True)
        gdb.execute(f"handle {FATAL} stop print pass", to_string=True)
        words = argument.split()
        Reached.wanted = next((int(word) for word in words if word.isdigit()), 0)
        kinds = [word for word in words if not word.isdigit()]
        Start.stops = [Failure, Reached] + [lambda kind=kind: Misuse(kind) for kind in kinds]
        gdb.execute("run")


def run_again():
    """The same run from its start; that the one under way ends there says nothing."""
    Failure.seen = gdb.selected_inferior().pid != 0
    gdb.execute("run")


class Cause(gdb.Command):
    """snarl cause STEP TEXT: the step is an event of the cause. snarl replay --gdb says so."""

    def __init__(self):
        super().__init__("snarl cause", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        step, _, text = argument.partition(" ")
        Reached.cause[int(step)] = text


class Goto(gdb.Command):
    """snarl goto STEP: to the call that is that step of the schedule; if it is over, in the same run made again."""

    def __init__(self):
        super().__init__("snarl goto", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        if not argument.strip().isdigit() or int(argument) == 0:
            raise gdb.GdbError("usage: snarl goto STEP, with the number of a step from the report")
        step = int(argument)
        is_ahead = gdb.selected_inferior().pid != 0 and not Failure.seen and Run().step < step
        if is_ahead:
            Reached.ask(step)
            return gdb.execute("continue")
        Reached.wanted = step
        run_again()


class Back(gdb.Command):
    """snarl back: to the switch before, in the same run made again."""

    def __init__(self):
        super().__init__("snarl back", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        switches = Run().switches - (1 if Next.at == Run().switches else 0)
        if switches < 1:
            raise gdb.GdbError("there was no switch before; `run` begins anew")
        Reached.wanted = -1
        turn = Turn(switches)
        try:
            run_again()
        finally:
            turn.delete()
        Next.tell()


class Threads(gdb.Command):
    """snarl threads: every thread of the run, its next operation, and whom it waits for. * has the turn."""

    def __init__(self):
        super().__init__("snarl threads", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        numbers = {thread.ptid[1]: thread.num for thread in gdb.selected_inferior().threads()}
        for thread in Run().threads:
            mark = "*" if thread.has_turn else " "
            where = f"gdb thread {numbers[thread.tid]}" if thread.tid in numbers else "fiber"
            print(f"{mark} {thread.title():20} {thread.doing():28} {thread.waiting():30} {place_at(thread.pc)}  [{where}]")


class Select(gdb.Command):
    """snarl thread N: selects thread TN (0: main) and the frame of the program in which it is."""

    def __init__(self):
        super().__init__("snarl thread", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        word = argument.strip().lstrip("T")
        if word == "main":
            word = "0"
        if not word.isdigit():
            raise gdb.GdbError("usage: snarl thread N, with a number from `snarl threads`")
        FiberView.close()
        thread = Run().thread(int(word))
        for candidate in gdb.selected_inferior().threads():
            if thread.tid in candidate.ptid:
                candidate.switch()
        if thread.context != 0:
            FiberView.show(thread)
        print(f"[{thread.title()}]")
        show_program_frame()


class Next(gdb.Command):
    """snarl next [COUNT]: goes on to the next switch, and says who got the turn and why."""

    at = 0  # the program has stopped where that switch was made; 0: elsewhere

    def __init__(self):
        super().__init__("snarl next", gdb.COMMAND_RUNNING)

    @classmethod
    def tell(cls):
        run = Run()
        cls.at = run.switches
        print(switch_text(run))
        show_program_frame()

    def invoke(self, argument, from_tty):
        table()  # the program is being run
        Reached.ask(0)
        stop = Turn()
        try:
            count = int(argument or "1")
            for _ in range(count):
                before = stop.hit_count
                gdb.execute("continue")
                if gdb.selected_inferior().pid == 0 or stop.hit_count == before:
                    return  # it ended, or stopped for another reason
        finally:
            stop.delete()
        Next.tell()


class Why(gdb.Command):
    """snarl why: why the last switch happened, and who waits for whom."""

    def __init__(self):
        super().__init__("snarl why", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        run = Run()
        if run.outcome not in ("none", "ok"):
            print(f"{run.outcome} after step {run.step}" + (f": {run.message}" if run.message else ""))
        print(switch_text(run))
        for thread in run.threads:
            if not thread.enabled:
                print(f"{thread.title()} {thread.waiting()}: {thread.doing()} at {place_at(thread.pc) or 'an unknown place'}")


def switch_text(run):
    if run.switches == 0:
        return f"step {run.step}: no switch yet"
    source, target = (f"t{n & 0x7fffffff}" if n >> 31 else thread_name(n) for n in (run.source, run.target))
    because = {"preempted": f"the schedule preempted {source}, which could have gone on",
               "blocked": f"{source} could not go on", "ended": f"{source} ended",
               "yielded": f"{source} gave way"}.get(run.reason, run.reason)
    at = place_at(run.switch_pc)
    return f"step {run.switch_step}: {source} -> {target}, because {because} at {run.operation}" + (f", {at}" if at else "")


def watch():
    """Asks the runtime to keep its table up to date."""
    gdb.selected_inferior().write_memory(table() + 4, struct.pack("<I", 1))


def on_load(event):
    """The program was started, or started anew."""
    if (event.new_objfile.filename or "").endswith(RUNTIME):
        Failure.seen = False
        watch()
        while Start.stops:
            Start.stops.pop()()
        Reached.ask(Reached.wanted if Reached.wanted > 0 else Reached.after(0) if Reached.wanted == 0 else 0)
        Reached.wanted = -1


def is_own_trap(event):
    """Did the program stop itself by an int3? gdb has no event for that: it looks like the end of a step."""
    if type(event) is not gdb.StopEvent:
        return False
    before = gdb.selected_inferior().read_memory(gdb.newest_frame().pc() - 1, 1)
    return bytes(before) == b"\xcc"


def on_stop(event):
    """At the failing step: says so, and shows the program instead of the runtime."""
    failing = isinstance(event, gdb.SignalEvent) and event.stop_signal in FATAL.split()
    if isinstance(event, gdb.BreakpointEvent):
        if any(isinstance(stop, Reached) for stop in event.breakpoints):
            return Reached.tell()
        failing = any(isinstance(stop, (Failure, Misuse)) for stop in event.breakpoints)
    if not (failing or is_own_trap(event)) or Failure.seen:
        return
    Failure.seen = True
    print(f"\nsnarl: the failing step, after {Run().step} others. Now: snarl threads, snarl thread N, snarl why")
    show_program_frame()


def on_continue(event):
    FiberView.close()
    Next.at = 0


def on_exit(event):
    if not Failure.seen:
        print("snarl: the program ended without the recorded failure")


FiberView.view = None
gdb.unwinder.register_unwinder(None, FiberView(), replace=True)
gdb.frame_filters["snarl"] = ProgramFrames()
gdb.events.cont.connect(on_continue)
gdb.events.new_objfile.connect(on_load)
gdb.events.stop.connect(on_stop)
gdb.events.exited.connect(on_exit)
for command in (Snarl, Start, Cause, Threads, Select, Next, Back, Goto, Why):
    command()
try:
    watch()  # sourced while the program runs
except gdb.GdbError:
    pass
