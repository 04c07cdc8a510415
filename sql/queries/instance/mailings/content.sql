-- content: the subject of an e-mail to all members: published terms of service or an announcement.
-- $1 terms bigint
-- $2 announcement bigint
-- rows: none when it was deleted or is not published, else one; date: when the terms take effect
-- plan: one row by key
select t.changelog as content, to_char(coalesce(t.effective_date, t.published_at at time zone 'UTC'), 'YYYY-MM-DD') as date,
  t.effective_date is not null as dated
from terms_of_service t
where t.id = $1::bigint and t.published_at is not null
union all
select a.content, null, false from announcements a where a.id = $2::bigint and a.published
