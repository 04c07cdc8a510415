-- trim_default_partition: removes old events from the default partition, which receives events when
-- there is no partition of their hour.
-- $1 keep_ms double precision
-- rows: one; the number of removed events
-- plan: a sequential scan of the default partition, which is empty while the server runs
with deleted as (
  delete from events_default e where e.created_at < now() - $1 * interval '1 millisecond' returning 1
)
select count(*)::integer as removed from deleted
