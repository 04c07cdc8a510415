-- claim_reply_fetch: claims the fetching of the replies to a public remote status that is at least
-- five minutes old, at most once in fifteen minutes.
-- $1 status bigint
-- rows: one when the caller has to fetch them
-- plan: no sequential scan
insert into reply_fetches as r (status_id)
select s.id
from statuses s
where s.id = $1 and not s.local and s.uri is not null and s.deleted_at is null and s.reblog_of_id is null
  and s.visibility in ('public', 'unlisted') and s.created_at < now() - interval '5 minutes'
on conflict (status_id) do update set fetched_at = excluded.fetched_at
where r.fetched_at < now() - interval '15 minutes'
returning r.status_id
