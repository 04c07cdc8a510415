-- delete_foreign_events: removes events of transactions that this cluster has not reached. They
-- come from a restored dump; they would hold the log back until this cluster reaches them, and then
-- appear as new.
-- rows: one; the number of removed events
-- plan: no sequential scan of a filled partition
with deleted as (
  delete from events e where e.txid >= pg_snapshot_xmax(pg_current_snapshot()) returning 1
)
select count(*)::integer as removed from deleted
