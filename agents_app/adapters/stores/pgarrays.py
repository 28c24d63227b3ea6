"""The rows of the smaller tables of a batch: scalars as one JSON text, and only bytes as arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agents_app.adapters.stores.pgwire import octets, records

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


class Columns:
    """The columns of some rows with their types, in the order of the rows' values.

    ``bytea`` columns travel as arrays; ``hex`` is bytea of few bytes, which travels in the JSON.
    """

    def __init__(self, kinds: Mapping[str, str]) -> None:
        self.names = tuple(kinds)
        self._kinds = kinds
        places = list(enumerate(kinds.items()))
        self._plain = [(at, name) for at, (name, kind) in places if kind not in ("hex", "bytea")]
        self._hex = [(at, name) for at, (name, kind) in places if kind == "hex"]
        self._octets = [(at, name) for at, (name, kind) in places if kind == "bytea"]

    def table(self, name: str, places: Iterator[str]) -> str:
        """A common table expression of the rows that ``parameters`` lays out."""
        plain = [column for _, column in self._plain]
        hexes = [column for _, column in self._hex]
        octets = [column for _, column in self._octets]
        shape = [f"{column} {self._kinds[column]}" for column in plain]
        shape += [f"{column} text" for column in hexes]
        sources = [f"json_to_recordset({next(places)}::json) AS ({', '.join(shape)})"]
        sources += [f"unnest({next(places)}::bytea[])" for _ in octets]
        values = [*plain, *(f"decode({column}, 'hex') AS {column}" for column in hexes), *octets]
        return (
            f"{name} AS (SELECT {', '.join(values)} FROM ROWS FROM ({', '.join(sources)})"
            f" AS x({', '.join([*plain, *hexes, *octets])}))"
        )

    def parameters(self, rows: Sequence[Sequence[Any]]) -> list[bytes]:
        """The parameters of ``table``: JSON first, then the arrays."""
        plain, hexes = self._plain, self._hex
        found = []
        for row in rows:
            record = {name: row[at] for at, name in plain if row[at] is not None}
            for at, name in hexes:
                if row[at] is not None:
                    record[name] = row[at].hex()
            found.append(record)
        return [records(found), *(octets([row[at] for row in rows]) for at, _ in self._octets)]
