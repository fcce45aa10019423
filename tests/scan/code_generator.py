"""Random functions whose machine code is hard to tell from data: nested switches, computed gotos, exceptions, and, if
wanted, atomic operations in all places. C++ for gcc and clang, and Rust."""

import random

ATOMICS = ("__atomic_fetch_add(&q[{n}], {m}, 5);", "p[{n}] ^= __atomic_exchange_n(&q[{n}], {m}, 5);",
           "{{ int e = {m}; __atomic_compare_exchange_n(&q[{n}], &e, {n}, 0, 5, 5); }}", "__builtin_ia32_pause();",
           "__atomic_store_n(&q[{n}], {m}, 5);", "__atomic_fetch_or(&q[{n}], a, 5);", "__atomic_thread_fence(5);",
           "{{ unsigned long r; asm volatile(\"rdrand %0\" : \"=r\"(r) : : \"cc\"); }}", "__builtin_ia32_rdtsc();")
PRELUDE = """
int shared[512];
__attribute__((noinline)) int use(int x) { static int s; return s += x; }
__attribute__((noinline)) void may_throw(int x) { if (use(x) < 0) throw x; }
"""
MAIN = "int main() {{ int p[512] = {{}}; for (unsigned a = 0; a < 20; ++a) for (unsigned b = 0; b < 20; ++b) {{ {calls} }} }}\n"


class Functions:
    """Of one source file."""

    def __init__(self, seed, atomics):
        self.random = random.Random(seed)
        self.atomics = atomics
        self.labels = 0

    def source(self, count):
        makers = (self.switching, self.switching, self.switching, self.jumping, self.throwing)
        functions = [makers[i % len(makers)](f"f{i}") for i in range(count)]
        calls = " ".join(f"f{i}(a, b, p, shared);" for i in range(count))
        return PRELUDE + "".join(functions) + MAIN.format(calls=calls)

    def switches_only(self, count):
        functions = [self.switching(f"f{i}") for i in range(count)]
        calls = " ".join(f"f{i}(a, b, p, shared);" for i in range(count))
        return PRELUDE + "".join(functions) + MAIN.format(calls=calls)

    @staticmethod
    def function(name, body):
        return (f"__attribute__((noinline)) int {name}(unsigned a, unsigned b, int* p, int* q) {{\n(void)a, (void)b, (void)q;\n"
                f"{body}\nreturn p[0];\n}}\n")

    def switching(self, name):
        return self.function(name, self.switch(2))

    def throwing(self, name):
        body = f"try {{ {self.switch(2)} may_throw({self.number(9)}); }} catch (int e) {{ p[e & 7] += e; {self.switch(1)} }}"
        return self.function(name, body)

    def jumping(self, name):
        labels = [f"l{i}" for i in range(self.random.randint(3, 9))]
        table = ", ".join(f"&&{label}" for label in labels)
        body = f"static void* const t[] = {{{table}}};\nunsigned i = 0;\ngoto *t[a % {len(labels)}];\n"
        for label in labels:
            body += f"{label}: {self.statement(1)} if (++i > 5) return p[1]; goto *t[(b + i) % {len(labels)}];\n"
        return self.function(name, body)

    def number(self, most):
        return self.random.randint(0, most)

    def statement(self, depth):
        choice = self.random.random()
        if depth > 0 and choice < 0.3:
            return self.switch(depth - 1)
        if depth > 0 and choice < 0.36:
            return f"for (unsigned c = 0; c < b; ++c) {{ {self.switch(depth - 1).replace('(a)', '(p[c & 15])')} }}"
        if self.atomics and choice < 0.6:
            return self.random.choice(ATOMICS).format(n=self.number(300), m=self.number(99))
        return f"p[{self.number(200)}] {self.random.choice(('+=', '^='))} use({self.number(999)});"

    def switch(self, depth):
        cases = sorted(self.random.sample(range(14), self.random.randint(0, 11)))
        text = f"switch ({self.random.choice('ab')}) {{\n"
        for case in cases:
            statements = " ".join(self.statement(depth) for _ in range(self.random.randint(0, 3)))
            end = self.random.choice(("break;", "break;", f"return {self.number(50)};", ";"))
            text += f"case {case}: {statements} {end}\n"
        if self.random.random() < 0.2:
            text += "default: __builtin_unreachable();\n" if self.random.random() < 0.3 else f"default: return {self.number(50)};\n"
        return text + "}"


def rust_source(seed, count):
    """Matches on enums have no comparison: the value is known to be one of a few."""
    draw = random.Random(seed)
    text = ("#![allow(warnings)]\nuse std::sync::atomic::{AtomicU32, Ordering::*};\n"
            "#[repr(u32)] #[derive(Clone, Copy)] pub enum E { A, B, C, D, F, G, H, I }\n"
            "extern \"C\" { fn outside(x: u32) -> u32; }\n")
    operations = ("q.fetch_add({n}, SeqCst);", "q.swap({n}, SeqCst);", "let _ = q.compare_exchange({n}, a, SeqCst, SeqCst);",
                  "std::hint::spin_loop();", "unsafe {{ outside({n}); }}", "unsafe {{ r ^= outside(a); }}")
    for i in range(count):
        arms = ""
        for letter in "ABCDFGHI":
            inner = " ".join(f"{case} => {{ {draw.choice(operations).format(n=draw.randint(0, 99))} }}"
                             for case in draw.sample(range(12), draw.randint(4, 9)))
            arms += f"E::{letter} => {{ {draw.choice(operations).format(n=draw.randint(0, 99))} match a {{ {inner} _ => {{}} }} }}\n"
        text += (f"#[no_mangle] pub extern \"C\" fn f{i}(e: E, a: u32, q: &AtomicU32) -> u32 {{ let mut r = a; match e {{\n{arms} }}"
                 " r }\n")
    return text
