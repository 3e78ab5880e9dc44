"""Report forms: one file each, made from a `Verification` only. `outcome` decides; `text` and `json` write."""
