-- read: the viewer's positions in these timelines.
-- $1 viewer bigint
-- $2 timelines text[]
-- rows: one a timeline that has a marker
-- plan: no sequential scan
select m.timeline, m.last_read_id, m.version, m.updated_at
from markers m
where m.account_id = $1 and m.timeline = any ((select $2::text[])::text[])
order by m.timeline
