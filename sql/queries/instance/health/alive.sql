-- alive: succeeds while the database is available, and says whether it can be written to.
-- rows: one
-- plan: no sequential scan, at most 1 buffers
select not pg_is_in_recovery() and current_setting('default_transaction_read_only') = 'off' as writable
