-- save: stores the viewer's positions in these timelines, which may be lower than before. An
-- unchanged marker keeps its version.
-- A marker that another request changes between this statement's snapshot and its write stays as
-- that request stored it, and is missing from the rows.
-- $1 viewer bigint
-- $2 timelines text[]
-- $3 ids bigint[]
-- rows: one for each marker that has the requested position
-- plan: no sequential scan
with input as (
  select given.timeline, given.id from unnest((select $2::text[]), (select $3::bigint[])) given (timeline, id)
), visible as materialized (
  select m.timeline, m.last_read_id, m.version, m.updated_at
  from markers m
  where m.account_id = $1 and m.timeline = any ((select $2::text[])::text[])
), saved as (
  insert into markers as m (account_id, timeline, last_read_id, version)
  select $1, input.timeline, input.id, 1
  from input
  where not exists (select from visible where visible.timeline = input.timeline and visible.last_read_id = input.id)
  order by input.timeline
  on conflict (account_id, timeline) do update
  set last_read_id = excluded.last_read_id, version = m.version + 1, updated_at = now()
  where m.version = (select visible.version from visible where visible.timeline = m.timeline)
  returning m.timeline, m.last_read_id, m.version, m.updated_at
)
select saved.timeline, saved.last_read_id, saved.version, saved.updated_at from saved
union all
select visible.timeline, visible.last_read_id, visible.version, visible.updated_at
from visible
join input on input.timeline = visible.timeline and input.id = visible.last_read_id
order by timeline
