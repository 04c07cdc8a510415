-- end: the first transaction after the finished part of the log: it and later ones are still to be
-- read.
-- rows: one
-- plan: one call
select pg_snapshot_xmin(pg_current_snapshot()) as txid
