-- forget_elsewhere: removes events of transactions that this cluster has not come to. A dump that was restored here brought them; they
-- would hold the log back until then, and come to light as if they were new.
-- rows: one; the number of removed events
-- plan: no sequential scan of a filled partition
with deleted as (
  delete from events e where e.txid >= pg_snapshot_xmax(pg_current_snapshot()) returning 1
)
select count(*)::integer as removed from deleted
