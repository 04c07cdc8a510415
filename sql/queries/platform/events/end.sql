-- end: the transaction at which the finished part of the log ends: it and those after it are still to be read.
-- rows: one
-- plan: one call
select pg_snapshot_xmin(pg_current_snapshot()) as txid
