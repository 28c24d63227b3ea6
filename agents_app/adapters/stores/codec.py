"""Bodies as bytes on disk: zstd with a dictionary that ships with the code.

The first byte says how the rest is to be read, so that every body ever written stays readable:

- bits 0-5: 0 = as it is; 1-62 = zstd with ``dictionaries/<n>.zdict``; 63 = zstd without one;
- bit 6: the label of the row was cut out of the body, at the offset that follows as a varint
  (the first words of an answer are in the row anyway: they are stored once);
- bit 7: the body is a stub, the whole is a blob.

Frames carry no magic number, checksum or dictionary id: the log's own hashes check them.
"""

from __future__ import annotations

import threading
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

import zstandard

from playhead.core.errors import LogError

if TYPE_CHECKING:
    from collections.abc import Callable

CURRENT = 1
PLAIN = 0
NO_DICTIONARY = 63
SPLICED = 0x40
STUB = 0x80

#: Shorter labels are cheaper to store twice than to cut out.
_WORTH_CUTTING = 12
#: Shorter bodies grow under compression.
_WORTH_PACKING = 32
_ELLIPSIS = "…"
_BYTES = [bytes([number]) for number in range(256)]

_local = threading.local()


@cache
def _dictionary(number: int) -> zstandard.ZstdCompressionDict:
    name = f"{number}.zdict"
    file = resources.files(__package__) / "dictionaries" / name
    if not file.is_file():
        raise LogError(
            f"This release has no dictionary {number}: the log was written by a newer one.",
            code="newer_version",
        )
    found = zstandard.ZstdCompressionDict(file.read_bytes(), zstandard.DICT_TYPE_FULLDICT)
    if number == CURRENT:
        found.precompute_compress(compression_params=_parameters())
    return found


def _parameters() -> zstandard.ZstdCompressionParameters:
    """Level 3 by hand: with min_match 5 small bodies come out a tenth smaller at the same speed.

    The tables are small, since between two appends they leave the processor's cache.
    """
    return zstandard.ZstdCompressionParameters(
        window_log=18,
        chain_log=13,
        hash_log=13,
        search_log=1,
        min_match=5,
        strategy=zstandard.STRATEGY_DFAST,
        format=zstandard.FORMAT_ZSTD1_MAGICLESS,
        write_checksum=False,
        write_dict_id=False,
    )


def _compress(data: bytes) -> bytes:
    try:
        compress: Callable[[bytes], bytes] = _local.compress
    except AttributeError:  # the first time in this thread
        compress = _local.compress = zstandard.ZstdCompressor(
            dict_data=_dictionary(CURRENT), compression_params=_parameters()
        ).compress
    return compress(data)


def _decompressor(number: int) -> zstandard.ZstdDecompressor:
    """One per dictionary and thread: they may not be shared between threads."""
    known: dict[int, zstandard.ZstdDecompressor] = _local.__dict__.setdefault("decompressors", {})
    if number not in known:
        known[number] = zstandard.ZstdDecompressor(
            dict_data=None if number == NO_DICTIONARY else _dictionary(number),
            format=zstandard.FORMAT_ZSTD1_MAGICLESS,
        )
    return known[number]


def pack(data: bytes) -> bytes:
    """Bytes of a blob, a checkpoint, a snapshot: compressed, first byte first."""
    if len(data) < _WORTH_PACKING:
        return _BYTES[PLAIN] + data
    return _BYTES[CURRENT] + _compress(data)


def unpack(data: bytes) -> bytes:
    """What ``pack`` was given.

    Raises:
        LogError: not bytes of ours, or of a newer release.
    """
    return _expand(data[0], data[1:])


def pack_body(body: bytes, label: str, *, stub: bool) -> bytes:
    """An event's body for its row, whose ``label`` need not be stored twice."""
    flags = STUB if stub else 0
    cut = label.removesuffix(_ELLIPSIS).encode()
    at = body.find(cut) if len(cut) >= _WORTH_CUTTING else -1
    offset = b""
    if at >= 0:
        flags |= SPLICED
        offset = _BYTES[at] if at <= 0x7F else _varint(at)
        body = body[:at] + body[at + len(cut) :]
    if len(body) < _WORTH_PACKING:
        return _BYTES[flags | PLAIN] + offset + body
    return _BYTES[flags | CURRENT] + offset + _compress(body)


def unpack_body(data: bytes, label: str) -> tuple[bytes, bool]:
    """An event's body, and whether it is a stub, from its row.

    Raises:
        LogError: not bytes of ours, or of a newer release.
    """
    flags = data[0]
    stub = bool(flags & STUB)
    if not flags & SPLICED:
        return _expand(flags, data[1:]), stub
    at, start = _read_varint(data, 1)
    body = _expand(flags, data[start:])
    return body[:at] + label.removesuffix(_ELLIPSIS).encode() + body[at:], stub


def _expand(flags: int, data: bytes) -> bytes:
    number = flags & 0x3F
    if number == PLAIN:
        return data
    try:
        return _decompressor(number).decompress(data)
    except zstandard.ZstdError as error:
        raise LogError(f"A stored body can't be read: {error}", code="bad_body") from error


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def _read_varint(data: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        byte = data[at]
        at += 1
        number |= (byte & 0x7F) << shift
        if byte < 0x80:
            return number, at
        shift += 7
