"""Which of the rows' packages are there. The long test installs what is missing."""

import os

from row import snarl_case


def missing(row):
    """Those of its packages that are not installed."""
    result = []
    for name in row.packages.split():
        query = snarl_case.run(["dpkg-query", "-W", "-f", "${db:Status-Status}", name], capture_output=True, text=True)
        if query.returncode != 0 or query.stdout != "installed":
            result.append(name)
    return result


def version(row):
    """Of the package that the program comes from."""
    query = snarl_case.run(["dpkg-query", "-W", "-f", "${Version}", row.packages.split()[0]], capture_output=True, text=True)
    return query.stdout if query.returncode == 0 else ""


def install(rows):
    """As ./run does it; what can't be installed is left out, and the row says so."""
    names = sorted({name for row in rows for name in missing(row)})
    root = [] if os.geteuid() == 0 else ["sudo", "-n"]
    get = [*root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", "-o", "DPkg::Lock::Timeout=300"]
    if not names:
        return
    snarl_case.run([*get, "update"], timeout=300)
    wanted = [*get, "install", "-y", "--no-install-recommends"]
    if snarl_case.run([*wanted, *names], timeout=1800).returncode != 0:
        for name in names:
            snarl_case.run([*wanted, name], timeout=600)
