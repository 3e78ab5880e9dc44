"""What a queue did, measured: promises kept, the ledger of loans, waits and stops, stability, recovery."""
