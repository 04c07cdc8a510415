-- save: the viewer has read these timelines up to these ids, smaller ones than before too. A marker that stays the same keeps its version.
-- A marker that somebody else changes between this statement's look at it and its turn to write stays as that one left it, and is missing
-- from the rows.
-- $1 viewer bigint
-- $2 timelines text[]
-- $3 ids bigint[]
-- rows: one a timeline that is as it was asked for
-- plan: no sequential scan
with asked as (
  select given.timeline, given.id from unnest($2::text[], $3::bigint[]) given (timeline, id)
), seen as materialized (
  select m.timeline, m.last_read_id, m.version, m.updated_at
  from markers m
  where m.account_id = $1 and m.timeline = any ($2)
), saved as (
  insert into markers as m (account_id, timeline, last_read_id, version)
  select $1, asked.timeline, asked.id, 1
  from asked
  where not exists (select from seen where seen.timeline = asked.timeline and seen.last_read_id = asked.id)
  order by asked.timeline
  on conflict (account_id, timeline) do update
  set last_read_id = excluded.last_read_id, version = m.version + 1, updated_at = now()
  where m.version = (select seen.version from seen where seen.timeline = m.timeline)
  returning m.timeline, m.last_read_id, m.version, m.updated_at
)
select saved.timeline, saved.last_read_id, saved.version, saved.updated_at from saved
union all
select seen.timeline, seen.last_read_id, seen.version, seen.updated_at
from seen
join asked on asked.timeline = seen.timeline and asked.id = seen.last_read_id
order by timeline
