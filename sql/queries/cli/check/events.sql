-- events: events of the log of a kind that this version does not know, and events from the future,
-- which the log would keep too long.
-- $1 kinds text[]
-- rows: one a kind; ahead: of those, how many are from the future
-- plan: one pass over the log
select
  e.kind, count(*)::integer as amount, (count(*) filter (where e.created_at > now() + interval '5 minutes'))::integer as ahead
from events e
where e.kind <> all ((select $1::text[])::text[]) or e.created_at > now() + interval '5 minutes'
group by e.kind
order by e.kind
