"""Texts that are made of secrets, of what stands around them, and of what only looks like one."""

from __future__ import annotations

from hypothesis import strategies as st

KNOWN = {
    "v_password_" + "1" * 32: "correct horse battery",
    "v_api_key_" + "2" * 32: "sk-known0123456789abcdef",
    "v_password_" + "3" * 32: "hunter2",
    "v_secret_" + "4" * 32: 'a"b/ä%é',
    "v_secret_" + "5" * 32: "密钥甲乙",
}
KEY = b"k" * 32

PIECES = [
    *KNOWN.values(),
    "sk-proj-Abc123Def456Ghi789",
    "sk-12ab34cd56",
    "ghp_0123456789abcdefABCDEF",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2ln",
    "Bearer ",
    "abc123def456",
    "Basic YW5uOmh1bnRlcjI=",
    "Authorization: ",
    "password",
    "api key",
    "api_key",
    "token",
    "secret",
    "next ",
    "密码",
    ": ",
    "=",
    " is ",
    '"',
    "'",
    '\\"',
    "\\",
    "\n",
    " ",
    "\t",
    ",",
    ".",
    "(",
    "[",
    "是",
    "的",
    "你好",
    "https://ann:pw12x@example.com/",
    "--token ",
    "-----BEGIN RSA PRIVATE KEY-----",
    "-----END RSA PRIVATE KEY-----",
    "MIIEowIBAAKCAQEAabcd",
    "\\n",
    "swordfish",
    "the",
    "order 1042",
    "x",
    "[REDACTED:password:" + "1" * 32 + "]",
    "[REDACTED:",
    "ann@example.com",
    "4111 1111 1111 1111",
    "+44 20 7946 0958",
    "{",
    "}",
]

pieces = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)
texts = pieces | st.text(max_size=40) | st.builds(str.__add__, pieces, pieces)
