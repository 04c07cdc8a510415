-- find: an announcement of any state.
-- $1 announcement bigint
-- rows: one when it exists
-- plan: one row by key
select
  a.id, a.text, a.content, a.published, a.all_day, a.starts_at, a.ends_at, a.scheduled_at, a.published_at, a.created_at
from announcements a
where a.id = $1
