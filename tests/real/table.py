"""All rows: the programs of docs/real-programs.md."""

from rows import compressors, languages, libraries, media, servers, tools

ROWS = [*compressors.ROWS, *media.ROWS, *tools.ROWS, *languages.ROWS, *libraries.ROWS, *servers.ROWS]
