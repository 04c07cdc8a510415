-- add: stores an announcement, and shows it to everybody at once if it is published and not
-- scheduled for later.
-- $1 text text
-- $2 content text
-- $3 starts_at timestamptz
-- $4 ends_at timestamptz
-- $5 all_day boolean
-- $6 published boolean
-- $7 scheduled_at timestamptz
-- rows: one
-- plan: rows are inserted, none are read
with created as (
  insert into announcements (text, content, starts_at, ends_at, all_day, published, published_at, scheduled_at)
  values ($1, $2, $3, $4, $5, $6, case when $6 then now() end, $7)
  returning announcements.id
), logged as (
  insert into events (kind, object_id) select 'announcement.published', created.id from created where $6
  returning event_json(events) as event
)
select created.id, (select jsonb_agg(logged.event) from logged) as events from created
