"""Files of promises: YAML or JSON to `spec.promises`. `load_promises` reads the file at a path. Trusted: nothing.

A file says its version, the queue, what the promises speak of (weights of units, groups, how long a stop takes), the
promises with one or several terms each (`terms`), and exceptions to them. Schema: promises.schema.json.
"""

from .found import found
from .load import chosen, load_promises
from .read import read

__all__ = ["chosen", "found", "load_promises", "read"]
