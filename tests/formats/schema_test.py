#!/usr/bin/env python3
"""SARIF files held to the published schema, by a validator of the npm registry. Exit code 77 (not run) where the registry
can't be reached.

  HOSTILE_FORMATS=build/bin/hostile_formats schema_test.py --npm npm --node node
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

import formats_test

NOT_RUN = 77
COUNT = 200
# The first has the schema, the others a validator for the draft that it is written in.
PACKAGES = ["@microsoft/jest-sarif@1.0.0-beta.0", "ajv@8", "ajv-formats@3", "ajv-draft-04@1"]
CHECK = """
const fs = require('fs');
const path = require('path');
const Ajv = require('ajv-draft-04');
const schema = JSON.parse(fs.readFileSync(process.argv[2], 'utf8').replace(/^\\uFEFF/, ''));
const ajv = new Ajv({strict: false, allErrors: true, unicodeRegExp: false});
require('ajv-formats')(ajv);
const validate = ajv.compile(schema);
let bad = 0, files = 0;
for (const name of fs.readdirSync(process.argv[3]).filter(n => n.endsWith('.sarif'))) {
  files += 1;
  if (validate(JSON.parse(fs.readFileSync(path.join(process.argv[3], name), 'utf8')))) continue;
  bad += 1;
  if (bad < 5) console.log(name, JSON.stringify(validate.errors.slice(0, 3)));
}
// The validator must be able to refuse.
if (validate({version: '2.1.0', runs: [{tool: {driver: {}}, results: [{}]}]})) { console.log('refuses nothing'); bad += 1; }
console.log(files + ' files, ' + bad + ' bad');
process.exit(bad === 0 && files > 0 ? 0 : 1);
"""


def install(npm, folder):
    """True if the packages are there now."""
    result = subprocess.run([npm, "install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", ".",
                             *PACKAGES], cwd=folder, timeout=300, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            stdin=subprocess.DEVNULL, text=True)
    if result.returncode != 0:
        print(f"not run: the packages can't be had here:\n{result.stdout[-500:]}")
    return result.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--npm", required=True)
    parser.add_argument("--node", required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if not install(arguments.npm, folder):
            return NOT_RUN
        files = folder / "files"
        files.mkdir()
        formats_test.write_files(files, COUNT)
        (folder / "check.js").write_text(CHECK, encoding="utf-8")
        schema = folder / "node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json"
        return subprocess.run([arguments.node, "check.js", schema, files], cwd=folder, timeout=200).returncode


if __name__ == "__main__":
    sys.exit(main())
