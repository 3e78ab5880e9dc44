"""Who judges: proofs, findings, witnesses, histories, reports and the command line."""
