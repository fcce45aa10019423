#!/usr/bin/env python3
"""SARIF, JUnit XML, Markdown, workflow commands and traces with texts that a hostile program chose: always valid, for
readers that share nothing with the writers.

  HOSTILE_FORMATS=build/bin/hostile_formats formats_test.py
"""
import html.parser
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest
import urllib.parse
import xml.etree.ElementTree as ElementTree

COUNT = 200
SEED = "0x5eed"
LEVELS = {"none", "note", "warning", "error"}
IMPORTANCES = {"important", "essential", "unimportant"}


def write_files(folder, count=COUNT):
    subprocess.run([os.environ["HOSTILE_FORMATS"], folder, SEED, str(count)], check=True, timeout=100)


class FormatsCase(unittest.TestCase):
    file = "no file"

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        write_files(cls.folder)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def texts(self, suffix, at_least):
        """Name and bytes of each file; fails if there are fewer than expected."""
        files = sorted(self.folder.glob("*" + suffix))
        self.assertGreaterEqual(len(files), at_least)
        for path in files:
            self.file = path.name
            yield path.name, path.read_bytes()

    def _formatMessage(self, message, standard):
        return f"{self.file}: {super()._formatMessage(message, standard)}"


class SarifTest(FormatsCase):
    """The parts of the standard (2.1.0) that our files use, by its sections."""

    def test_structure(self):
        results = 0
        for _, data in self.texts(".sarif", COUNT):
            log = json.loads(data.decode("ascii"))  # control characters and the like are escaped
            self.assertEqual(log["version"], "2.1.0")
            self.assertEqual(len(log["runs"]), 1)
            results += self.check_run(log["runs"][0])
        self.assertGreater(results, COUNT // 2)

    def check_run(self, run):
        driver = run["tool"]["driver"]
        self.assertEqual(driver["name"], "snarl")
        ids = [rule["id"] for rule in driver["rules"]]
        self.assertEqual(len(ids), len(set(ids)))
        for invocation in run["invocations"]:
            self.assertIsInstance(invocation["executionSuccessful"], bool)
            self.check_uri(invocation["workingDirectory"]["uri"], absolute=True)
            for told in invocation["toolExecutionNotifications"]:
                self.assertIn(told["level"], LEVELS)
                self.check_message(told["message"])
        for base in run["originalUriBaseIds"].values():
            self.check_uri(base["uri"], absolute=True)
            self.assertTrue(base["uri"].endswith("/"))
        prints = [result["partialFingerprints"]["snarlFinding/v1"] for result in run["results"]]
        self.assertEqual(len(prints), len(set(prints)))
        for result in run["results"]:
            self.check_result(result, ids)
        return len(run["results"])

    def check_result(self, result, ids):
        self.assertEqual(result["ruleId"], ids[result["ruleIndex"]])
        self.assertIn(result["level"], LEVELS)
        self.check_message(result["message"])
        self.assertEqual(len(result["locations"]), 1)
        self.assertIn("physicalLocation", result["locations"][0])
        for location in result["locations"] + result.get("relatedLocations", []):
            self.check_location(location)
        ids_of_related = [location["id"] for location in result.get("relatedLocations", [])]
        self.assertEqual(len(ids_of_related), len(set(ids_of_related)))
        for flow in result.get("codeFlows", []):
            self.check_code_flow(flow)
        for stack in result.get("stacks", []):
            self.assertTrue(stack["frames"])
            for frame in stack["frames"]:
                self.check_location(frame["location"])

    def check_code_flow(self, flow):
        orders = []
        self.assertTrue(flow["threadFlows"])
        for thread in flow["threadFlows"]:
            self.assertTrue(thread["locations"])
            own = [at["executionOrder"] for at in thread["locations"]]
            self.assertEqual(own, sorted(own))
            orders += own
            for at in thread["locations"]:
                self.assertIn(at["importance"], IMPORTANCES)
                self.assertTrue(all(isinstance(kind, str) and kind for kind in at["kinds"]))
                self.check_location(at["location"])
        self.assertEqual(sorted(orders), list(range(1, len(orders) + 1)))

    def check_location(self, location):
        for logical in location.get("logicalLocations", []):
            self.assertTrue(logical["name"])
        if "message" in location:
            self.check_message(location["message"])
        physical = location.get("physicalLocation")
        if physical is None:
            return
        artifact = physical["artifactLocation"]
        self.check_uri(artifact["uri"], absolute="uriBaseId" not in artifact)
        region = physical.get("region", {"startLine": 1})
        self.assertGreaterEqual(region["startLine"], 1)
        self.assertGreaterEqual(region.get("startColumn", 1), 1)

    def check_message(self, message):
        self.assertTrue(message["text"])
        self.assertNotRegex(message["text"], r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")

    def check_uri(self, uri, absolute):
        self.assertRegex(uri, r"\A(?:[A-Za-z0-9._~/:-]|%[0-9A-F]{2})+\Z")
        if uri.startswith("file://"):
            self.assertEqual(urllib.parse.urlsplit(uri).netloc, "")
        elif absolute:
            self.assertNotIn(":", uri)
        if not absolute:
            self.assertFalse(uri.startswith("/"))
            self.assertNotIn("..", uri.split("/"))


class JunitTest(FormatsCase):
    """The shape of the JUnit XSD that Jenkins publishes, and that the numbers are those of the elements."""

    CHILDREN = {
        "testsuites": {"testsuite"},
        "testsuite": {"properties", "testcase"},
        "properties": {"property"},
        "testcase": {"failure", "error", "skipped", "system-out", "system-err"},
    }
    NEEDED = {"testsuites": {"tests", "failures", "errors"}, "testsuite": {"name", "tests", "failures", "errors"},
              "property": {"name", "value"}, "testcase": {"name", "classname", "time"},
              "failure": {"message", "type"}, "error": {"message", "type"}, "skipped": {"message"}}

    def test_structure(self):
        failures = 0
        for _, data in self.texts(".xml", COUNT):
            root = ElementTree.fromstring(data)
            self.assertEqual(root.tag, "testsuites")
            self.check_element(root)
            for group in [root, *root]:
                cases = list(group.iter("testcase"))
                self.assertEqual(int(group.get("tests")), len(cases))
                self.assertEqual(len({case.get("name") for case in cases}), len(cases))
                for number, tag in (("failures", "failure"), ("errors", "error")):
                    self.assertEqual(int(group.get(number)), len(list(group.iter(tag))))
            failures += int(root.get("failures"))
        self.assertGreater(failures, COUNT // 2)

    def check_element(self, element):
        self.assertLessEqual(self.NEEDED.get(element.tag, set()), set(element.keys()))
        if "time" in element.keys():
            self.assertGreaterEqual(float(element.get("time")), 0)
        verdicts = [child.tag for child in element if child.tag in ("failure", "error", "skipped")]
        self.assertLessEqual(len(verdicts), 1)
        for child in element:
            self.assertIn(child.tag, self.CHILDREN.get(element.tag, set()))
            self.check_element(child)


class AnnotationsTest(FormatsCase):
    COMMAND = re.compile(r"::(error|warning) title=([^:,\r\n]*)(?:,file=([^:,\r\n]*))?(?:,line=(\d+))?::([^\r\n]*)")

    def test_each_line_is_one_command_of_ours(self):
        seen = 0
        for _, data in self.texts(".github", COUNT):
            for line in data.decode("utf-8").split("\n")[:-1]:
                match = self.COMMAND.fullmatch(line)
                self.assertIsNotNone(match, line)
                for part in match.groups():
                    self.assertNotRegex(part or "", r"%(?!25|0A|3A|2C)")
                    self.assertNotRegex(part or "", r"[\x00-\x1f\x7f]")
                seen += 1
            self.assertTrue(data == b"" or data.endswith(b"\n"))
        self.assertGreater(seen, COUNT // 2)


class Elements(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags = []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)


class MarkdownTest(FormatsCase):
    """A reader of CommonMark's rules for fenced blocks and code spans: outside of code only our own words are left."""

    OURS = re.compile(r"\A[A-Za-z0-9 :.,()#-]*\Z")

    def outside_of_code(self, text):
        lines, fence = [], None
        for line in text.split("\n"):
            run = re.match(r" {0,3}(`{3,})([^`]*)\Z", line)
            if fence is None and run:
                fence = run[1]
            elif fence is not None and run and len(run[1]) >= len(fence) and not run[2].strip():
                fence = None
            elif fence is None:
                lines.append(self.without_spans(line))
        self.assertIsNone(fence, "a fence stays open")
        return lines

    @staticmethod
    def without_spans(line):
        result, at = "", 0
        while at < len(line):
            if line[at] != "`":
                result, at = result + line[at], at + 1
                continue
            run = re.match(r"`+", line[at:])[0]
            end = re.search(f"(?<!`){run}(?!`)", line[at + len(run):])
            if end is None:
                return result + line[at:]
            at += len(run) + end.end()
        return result

    def test_only_our_own_words_are_markdown(self):
        for _, data in self.texts(".md", COUNT):
            text = data.decode("utf-8")
            self.assertLess(len(text), 65536)
            self.assertTrue(text.startswith("<!-- snarl -->\n### snarl: "))
            for line in self.outside_of_code(text)[1:]:
                elements = Elements()
                elements.feed(line)
                self.assertLessEqual(set(elements.tags), {"details", "summary"}, line)
                self.assertRegex(re.sub(r"</?(?:details|summary)>", "", line), self.OURS)


class TraceTest(FormatsCase):
    def test_events(self):
        flows = 0
        for _, data in self.texts(".trace.json", COUNT // 2):
            events = json.loads(data.decode("ascii"))["traceEvents"]
            named = {event["tid"] for event in events if event["ph"] == "M" and event["name"] == "thread_name"}
            ends = {}
            for event in events:
                self.assertIn(event["ph"], "MXsf")
                self.assertGreater(event["pid"], 0)
                self.assertTrue(event["name"])
                if event["ph"] == "X":
                    self.assertGreater(event["dur"], 0)
                if event["ph"] in "sf":
                    self.assertIn(event["tid"], named)
                    ends.setdefault(event["id"], {})[event["ph"]] = event["ts"]
            for both in ends.values():
                self.assertLess(both["s"], both["f"])
            flows += len(ends)


if __name__ == "__main__":
    unittest.main()
