"""Which addresses of the net a tool may reach: public ones, in whatever form they are written."""

from __future__ import annotations

import ipaddress

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


def is_public(text: str) -> bool:
    """Whether an address, as a resolver gives it, is one of the public net.

    Loopback, private, link-local (cloud metadata), shared, multicast and reserved ones are not,
    nor an IPv6 address that carries one of them.
    """
    try:
        address: Address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return False
    inner = _carried(address)
    if inner is not None:
        return is_public(str(inner))
    if isinstance(address, ipaddress.IPv6Address) and address.is_site_local:
        return False
    refused = (
        address.is_private, address.is_loopback, address.is_link_local, address.is_multicast,
        address.is_reserved, address.is_unspecified,
    )  # fmt: skip
    return address.is_global and not any(refused)


def _carried(address: Address) -> ipaddress.IPv4Address | None:
    """The IPv4 address inside an IPv6 one: mapped, 6to4, Teredo, NAT64, or the old compatible."""
    if isinstance(address, ipaddress.IPv4Address):
        return None
    if address in _NAT64 or 1 < int(address) < 2**32:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or (address.teredo and address.teredo[1])
