-- announcements: all announcements, newest first.
-- rows: all
-- plan: all of a small table
select
  a.id, a.text, a.published, a.all_day, a.starts_at, a.ends_at, a.scheduled_at, a.created_at
from announcements a
order by a.id desc
