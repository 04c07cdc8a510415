-- replay: the events between two positions of the log, in order, at most 500; the last one included, the first not.
-- $1 txid xid8
-- $2 id bigint
-- $3 last_txid xid8
-- $4 last_id bigint
-- $5 kinds text[]: null for all
-- $6 accounts bigint[]: those who did it or whom it concerns; null for all
-- rows: one; more: the page is full
-- plan: no sequential scan of a filled partition (an empty one is zero buffers), at most 400 buffers without a filter
select coalesce(jsonb_agg(page.event order by page.txid, page.id), '[]') as log, count(*) = 500 as more
from (
  select e.txid, e.id, event_json(e) as event
  from events e
  where (e.txid, e.id) > ($1, $2) and (e.txid, e.id) <= ($3, $4)
    and ($5::text[] is null or e.kind = any($5::text[]))
    and ($6::bigint[] is null or e.account_id = any($6::bigint[]) or e.actor_id = any($6::bigint[]))
  order by e.txid, e.id
  limit 500
) page
