-- add: stores an announcement, shows it to everybody at once if it is published and not scheduled
-- for later, and records it in the audit log.
-- $1 moderator bigint
-- $2 text text
-- $3 content text
-- $4 starts_at timestamptz
-- $5 ends_at timestamptz
-- $6 all_day boolean
-- $7 published boolean
-- $8 scheduled_at timestamptz
-- rows: one
-- plan: rows are inserted, none are read
with created as (
  insert into announcements (text, content, starts_at, ends_at, all_day, published, published_at, scheduled_at)
  values ($2, $3, $4, $5, $6, $7, case when $7 then now() end, $8)
  returning announcements.id, announcements.text
), recorded as materialized (
  select log_action($1::bigint, 'create', 'Announcement', created.id, left(created.text, 100)) from created
), logged as (
  insert into events (kind, object_id) select 'announcement.published', created.id from created, recorded where $7
  returning event_json(events) as event
)
select created.id, (select jsonb_agg(logged.event) from logged) as events from created, recorded
