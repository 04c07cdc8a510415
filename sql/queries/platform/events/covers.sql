-- covers: whether all that follows a position is still in the log.
-- Of an event's position that is so while the event itself is there and young enough; which also tells positions of another log. The
-- position of no event (id 0, where a process began) is covered when something before it is still there.
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
