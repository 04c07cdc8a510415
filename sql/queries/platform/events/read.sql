-- read: the events of finished transactions after a position of the log, in order, at most 500.
-- An open transaction holds back the events of later ones, because its own events precede them.
-- $1 txid xid8
-- $2 id bigint
-- rows: one; ages_ms: the age of each event; more: the page is full; settled: the first transaction
--   that may still be open, all events of earlier ones are in this page or before it, unless there
--   are more; held_back: there are committed events behind an open transaction, of which no
--   notification will follow; elsewhere: this cluster has not reached that transaction yet, so the
--   position belongs to another log
-- plan: no sequential scan of a filled partition (an empty one is zero buffers), at most 400
--   buffers
-- The limit is a literal because the planner then costs the generic plan for it and uses that plan:
-- with 32 partitions and a million events 0.25 ms a read; with the limit as a parameter it plans
-- each time, 1 ms.
select
  coalesce(jsonb_agg(page.event order by page.txid, page.id), '[]') as log,
  count(*) = 500 as more,
  pg_snapshot_xmin(pg_current_snapshot()) as settled,
  coalesce(
    jsonb_agg(round(extract(epoch from clock_timestamp() - page.created_at) * 1000, 3) order by page.txid, page.id), '[]'
  ) as ages_ms,
  case
    -- Without an open transaction nothing is held back: this saves the scan of each partition.
    when pg_snapshot_xmin(pg_current_snapshot()) = pg_snapshot_xmax(pg_current_snapshot()) then false
    else exists (select from events late where late.txid >= pg_snapshot_xmin(pg_current_snapshot()))
  end as held_back,
  $1 > pg_snapshot_xmax(pg_current_snapshot()) as elsewhere
from (
  select e.txid, e.id, e.created_at, event_json(e) as event
  from events e
  where (e.txid, e.id) > ($1, $2) and e.txid < pg_snapshot_xmin(pg_current_snapshot())
  order by e.txid, e.id
  limit 500
) page
