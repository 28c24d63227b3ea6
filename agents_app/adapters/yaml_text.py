"""A definition as YAML: read safely and with line numbers, written for people."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import yaml

from playhead.core.errors import InvalidInput

#: Bounds of a file: characters, depth, and values once anchors are put in.
LONGEST, DEEPEST, MOST = 400_000, 40, 20_000
#: Characters of a number: a longer one has no decimal form, and takes long to make.
LONGEST_NUMBER = 400
_PLAIN = {"str", "int", "float", "bool", "null", "timestamp"}
#: What YAML takes for the end of a line, or for nothing, unless it is escaped.
_ODD = re.compile("[\x85\u2028\u2029\ufeff]")
_TAG = "tag:yaml.org,2002:"


@dataclass(frozen=True, slots=True)
class ReadYaml:
    """A document's value, and the line (from 1) of each field by its dotted path."""

    value: Any
    lines: dict[str, int]

    def line_of(self, field: str) -> int:
        """Where a field stands; of one that is missing, where it would belong."""
        while field and field not in self.lines:
            field = field.rpartition(".")[0]
        return self.lines.get(field, 1)


def read_yaml(text: str) -> ReadYaml:
    """The value of the one document of a text. Types are JSON's; a date is a text.

    Raises:
        InvalidInput: not YAML, or more than is read: several documents, a key that comes twice or
            is no text, tags, merge keys, anchors that grow beyond all bounds. The message says the
            line, and ``detail["line"]`` has it.
    """
    if len(text) > LONGEST:
        raise _refused(f"the file has {len(text):,} characters; at most {LONGEST:,} are read", 1)
    try:
        _look_at_size(text)
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise _refused(error.problem or "not YAML", mark.line + 1 if mark else 1) from None
    except yaml.YAMLError as error:
        raise _refused(f"not YAML: {error}".splitlines()[0], 1) from None
    reader = _Reader()
    return ReadYaml(None if node is None else reader.value(node, ""), reader.lines)


def write_yaml(value: Any) -> str:
    """The value as YAML: keys in their order, texts of several lines as blocks."""
    return yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)


def _look_at_size(text: str) -> None:
    """Before composing, which recurses, and takes a second for each 10,000 values."""
    depth = values = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        line = event.start_mark.line + 1 if event.start_mark else 1
        values += isinstance(event, yaml.NodeEvent)
        if values > MOST:
            raise _refused(f"it has more than {MOST:,} values", line)
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > DEEPEST:
                raise _refused(f"it nests deeper than {DEEPEST} levels", line)
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


class _Reader:
    """Makes values of nodes; what an anchor stands for counts each time that it is used."""

    def __init__(self) -> None:
        self.lines: dict[str, int] = {}
        self._loader = yaml.SafeLoader("")
        self._left = MOST
        self._open: set[int] = set()

    def value(self, node: yaml.Node, path: str) -> Any:
        line = node.start_mark.line + 1
        self.lines.setdefault(path, line)
        self._left -= 1
        if self._left < 0 or id(node) in self._open:
            raise _refused(f"its anchors make more than {MOST:,} values of it", line)
        if isinstance(node, yaml.ScalarNode):
            return self._scalar(node, line)
        self._open.add(id(node))
        try:
            return self._collection(node, path, line)
        finally:
            self._open.discard(id(node))

    def _scalar(self, node: yaml.ScalarNode, line: int) -> Any:
        kind = node.tag.removeprefix(_TAG)
        if kind not in _PLAIN:
            raise _refused(f"the tag {node.tag} is not read", line)
        if kind in ("str", "timestamp"):
            return node.value
        if len(node.value) > LONGEST_NUMBER:
            raise _refused(f"{node.value!r:.40} … is too long for a number", line)
        try:
            return self._loader.construct_object(node)
        except (ValueError, OverflowError, yaml.YAMLError):
            raise _refused(f"{node.value!r:.80} is no {kind}", line) from None

    def _collection(self, node: yaml.Node, path: str, line: int) -> Any:
        if node.tag not in (f"{_TAG}map", f"{_TAG}seq"):
            raise _refused(f"the tag {node.tag} is not read", line)
        if isinstance(node, yaml.SequenceNode):
            return [self.value(each, _below(path, i)) for i, each in enumerate(node.value)]
        made: dict[str, Any] = {}
        for key, item in node.value:
            name = self._key(key)
            if name in made:
                raise _refused(f"the key {name!r:.80} comes twice", key.start_mark.line + 1)
            self.lines[_below(path, name)] = key.start_mark.line + 1
            made[name] = self.value(item, _below(path, name))
        return made

    def _key(self, node: yaml.Node) -> str:
        if node.tag == f"{_TAG}merge":
            raise _refused("merge keys (<<) are not read", node.start_mark.line + 1)
        if not isinstance(node, yaml.ScalarNode) or node.tag != f"{_TAG}str":
            said = "a key is a text; put it in quotes"
            raise _refused(said, node.start_mark.line + 1)
        return str(node.value)


def _below(path: str, name: object) -> str:
    return f"{path}.{name}" if path else str(name)


def _refused(what: str, line: int) -> InvalidInput:
    return InvalidInput(f"line {line}: {what}", detail={"field": "yaml", "line": line})


class _Dumper(yaml.SafeDumper):
    """No anchors, lists indented below their key."""

    def ignore_aliases(self, _data: Any) -> bool:
        return True

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        del indentless  # an item stands deeper than its key, as people write it
        super().increase_indent(flow, False)


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = '"' if _ODD.search(text) else "|" if "\n" in text else None
    return dumper.represent_scalar(f"{_TAG}str", text, style=style)


_Dumper.add_representer(str, _text)
