-- all: announcements of every state, newest first.
-- $1 before bigint
-- $2 limit integer
-- rows: at most $2, of those older than $1; all when they are null
-- plan: in the order of the key
select
  a.id, a.text, a.content, a.published, a.all_day, a.starts_at, a.ends_at, a.scheduled_at, a.published_at, a.created_at
from announcements a
where $1::bigint is null or a.id < $1
order by a.id desc
limit $2::integer
