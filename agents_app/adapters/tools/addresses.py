"""Which addresses of the net a tool may reach: public ones, in whatever form they are written."""

from __future__ import annotations

import ipaddress

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_V6 = ipaddress.IPv6Network
#: Prefixes of translators, and how many bits stand before the IPv4 address (RFC 6052, 8215).
_TRANSLATED = ((_V6("64:ff9b::/96"), (96,)), (_V6("64:ff9b:1::/48"), (48, 56, 64, 96)))
#: What ISATAP (RFC 5214) puts before an IPv4 address, in the interface's half.
_ISATAP = (0x0000_5EFE, 0x0200_5EFE)


def is_public(text: str) -> bool:
    """Whether an address, as a resolver gives it, is one of the public net.

    Loopback, private, link-local (cloud metadata), shared, multicast and reserved ones are not,
    nor an IPv6 address that carries one of them.
    """
    try:
        address: Address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return False
    carried = _carried(address)
    if carried:
        return all(is_public(str(inner)) for inner in carried)
    if isinstance(address, ipaddress.IPv6Address) and address.is_site_local:
        return False
    refused = (
        address.is_private, address.is_loopback, address.is_link_local, address.is_multicast,
        address.is_reserved, address.is_unspecified,
    )  # fmt: skip
    return address.is_global and not any(refused)


def _carried(address: Address) -> list[ipaddress.IPv4Address]:
    """The IPv4 addresses that may be inside an IPv6 one.

    Mapped and translated, 6to4, Teredo (server and client), NAT64, ISATAP, or the old compatible
    form. Where the length of a translator's prefix is its operator's choice, each is looked at.
    """
    if isinstance(address, ipaddress.IPv4Address):
        return []
    number = int(address)
    if 1 < number < 2**32 or number >> 32 == 0xFFFF_0000:  # compatible; ``::ffff:0:a.b.c.d``
        return [_v4(number)]
    for prefix, lengths in _TRANSLATED:
        if address in prefix:
            return [_embedded(number, length) for length in lengths]
    inner = [each for each in (address.ipv4_mapped, address.sixtofour) if each is not None]
    inner += address.teredo or ()
    if (number >> 32) & 0xFFFF_FFFF in _ISATAP:
        inner.append(_v4(number))
    return inner


def _embedded(number: int, length: int) -> ipaddress.IPv4Address:
    """The address behind a translator's prefix; bits 64 to 71 are none of it."""
    if length == 96:
        return _v4(number)
    bits = f"{number:0128b}"
    return _v4(int((bits[length:64] + bits[72:])[:32], 2))


def _v4(number: int) -> ipaddress.IPv4Address:
    return ipaddress.IPv4Address(number & 0xFFFF_FFFF)
