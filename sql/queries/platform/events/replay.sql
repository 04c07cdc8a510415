-- replay: the events between two positions of the log, in order; the last one included, the first
-- not. Reads 1,000 events at a time.
-- $1 txid xid8
-- $2 id bigint
-- $3 last_txid xid8
-- $4 last_id bigint
-- $5 kinds text[]: null for all
-- $6 accounts bigint[]: those who did it or whom it concerns; null for all
-- rows: one; reached: the position of the last event read, null when there was none; more: whether
--   there may be further events
-- plan: no sequential scan of a filled partition (an empty one is zero buffers), at most 400
--   buffers
-- The filter stands outside of the limit, so that each call is bounded however rare the wanted
-- events are. The planner, which does not know how rare they are, then reads along the index (with
-- the filter inside, its generic plan sorted all following events: 227 ms).
select
  coalesce(jsonb_agg(page.event order by page.txid, page.id) filter (where page.event is not null), '[]') as log,
  (array_agg(page.txid::text || '-' || page.id order by page.txid desc, page.id desc))[1] as reached,
  count(*) = 1000 as more
from (
  select
    e.txid,
    e.id,
    case
      when ($5::text[] is null or e.kind = any($5::text[]))
        and ($6::bigint[] is null or e.account_id = any($6::bigint[]) or e.actor_id = any($6::bigint[]))
      then event_json(e)
    end as event
  from events e
  where (e.txid, e.id) > ($1, $2) and (e.txid, e.id) <= ($3, $4)
  order by e.txid, e.id
  limit 1000
) page
