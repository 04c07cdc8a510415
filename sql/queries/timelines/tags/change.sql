-- change: stores a moderator's review of a hashtag, and records it in the audit log if $7. What is
-- null stays as it is.
-- $1 moderator bigint
-- $2 tag bigint
-- $3 display_name text
-- $4 usable boolean
-- $5 trendable boolean
-- $6 listable boolean
-- $7 is_logged boolean
-- rows: one, or none when there is no such hashtag
-- plan: no sequential scan
with changed as (
  update tags t
  set display_name = coalesce($3::text, t.display_name), usable = coalesce($4::boolean, t.usable),
    trendable = coalesce($5::boolean, t.trendable), listable = coalesce($6::boolean, t.listable), reviewed_at = now()
  where t.id = $2
  returning t.id, t.name, t.display_name
), recorded as materialized (
  select log_action($1::bigint, 'update', 'Tag', changed.id, '#' || changed.display_name) from changed
  where $7
), logged as (
  insert into events (kind, actor_id, object_id, data)
  select 'tag.changed', $1, changed.id, jsonb_build_object('name', changed.name) from changed
  returning event_json(events) as event
)
select changed.id, (select count(*) from recorded) as recorded, (select jsonb_agg(logged.event) from logged) as events
from changed
