"""Files of promises: YAML or JSON to `spec.promises`. Start at `read`. Trusted: nothing."""
