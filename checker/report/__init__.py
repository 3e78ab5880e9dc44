"""Report forms: one file each, made from a stream of events and from `Options` only.

`partition` says what an event counts as and `outcome` what all of them amount to; `text`, `json`, `md`, `sarif`,
`junit`, `html` and `badge` write; `redact` goes before all of them.
"""
