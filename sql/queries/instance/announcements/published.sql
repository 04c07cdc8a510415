-- published: the published announcements with the viewer's reactions and read state, the earliest
-- first.
-- $1 viewer bigint
-- rows: all that are published
-- plan: all of a small table; the viewer's rows by key
select
  a.id,
  exists (select from announcement_reads r where r.account_id = $1 and r.announcement_id = a.id) as read,
  array(
    select r.name from announcement_reactions r where r.account_id = $1 and r.announcement_id = a.id
  ) as reactions
from announcements a
where a.published
order by coalesce(a.starts_at, a.scheduled_at, a.published_at, a.created_at), a.id
