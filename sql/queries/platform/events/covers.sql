-- covers: whether the log still has all events after a position.
-- A position of an event is covered while the event itself exists and is young enough; this also
-- detects positions of another log. The position of no event (id 0, the start of a process) is
-- covered while an earlier event exists.
-- $1 txid xid8
-- $2 id bigint
-- $3 keep_ms double precision
-- rows: one
-- plan: no sequential scan of a filled partition, at most 200 buffers
select case when $2::bigint > 0
  then exists (
    select from events e
    where e.txid = $1 and e.id = $2 and e.created_at > now() - $3 * interval '1 millisecond'
  )
  else $1 <= pg_snapshot_xmax(pg_current_snapshot()) and exists (
    select from events e
    where e.txid < $1 and e.created_at > now() - $3 * interval '1 millisecond'
  )
end as covered
