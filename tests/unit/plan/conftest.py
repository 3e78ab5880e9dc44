"""Plans are judged with theorems that are proved once."""

from __future__ import annotations

from ...support.proved import proved as proved
