-- last_events: the newest events of the log, oldest first.
-- $1 limit integer
-- rows: at most $1
-- plan: no sequential scan of a filled partition: the end of the index of each
select last.event, last.at
from (
  select event_json(e) as event, e.created_at as at, e.txid, e.id from events e order by e.txid desc, e.id desc limit $1::integer
) last
order by last.txid, last.id
