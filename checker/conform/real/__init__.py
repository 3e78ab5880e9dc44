"""Real schedulers as backends: what they have in common. `sandbox` holds their processes, `playing` plays scenarios on them."""
