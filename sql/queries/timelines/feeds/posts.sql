-- posts: what the rules of feeds need to know of statuses, the same for every viewer. Deleted ones
-- are left out.
-- $1 ids bigint[]
-- rows: one for each status that exists
-- plan: no sequential scan
select
  s.id,
  s.account_id,
  a.domain,
  s.visibility,
  s.language,
  s.reblog_of_id,
  s.in_reply_to_id,
  s.in_reply_to_account_id,
  s.parent_unknown,
  (select array_agg(m.account_id) from mentions m where m.status_id = s.id and not m.silent) as mentions,
  (select array_agg(m.account_id) from mentions m where m.status_id = s.id and m.silent) as silent_mentions,
  (select array_agg(t.name) from status_tags x join tags t on t.id = x.tag_id where x.status_id = s.id) as tags
from statuses s
join accounts a on a.id = s.account_id
where s.id = any ((select $1::bigint[])::bigint[]) and s.deleted_at is null
