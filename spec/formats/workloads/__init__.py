"""Public cluster traces as workloads: jobs as users brought them."""
