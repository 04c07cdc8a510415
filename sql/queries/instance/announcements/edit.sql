-- edit: changes an announcement, and records it in the audit log; readers are notified by an
-- event. The planned time of a published one is not kept.
-- $1 moderator bigint
-- $2 announcement bigint
-- $3 text text
-- $4 content text
-- $5 sets_times boolean
-- $6 starts_at timestamptz
-- $7 ends_at timestamptz
-- $8 all_day boolean
-- $9 scheduled_at timestamptz
-- rows: none when there is no such announcement, else one
-- plan: one row by key
with changed as (
  update announcements a set
    text = $3,
    content = $4,
    starts_at = case when $5 then $6::timestamptz else a.starts_at end,
    ends_at = case when $5 then $7::timestamptz else a.ends_at end,
    all_day = case when $5 then $8 else a.all_day end,
    scheduled_at = case when not $5 then a.scheduled_at when not a.published then $9::timestamptz end,
    updated_at = now()
  where a.id = $2
  returning a.id, a.published, a.text
), recorded as materialized (
  select log_action($1::bigint, 'update', 'Announcement', changed.id, left(changed.text, 100)) from changed
), logged as (
  insert into events (kind, object_id)
  select 'announcement.published', changed.id from changed, recorded where changed.published
  returning event_json(events) as event
)
select changed.id, (select jsonb_agg(logged.event) from logged) as events from changed, recorded
