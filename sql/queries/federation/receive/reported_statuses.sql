-- reported_statuses: statuses that another server reports; answers_local: whether a status replies
-- to a local account.
-- $1 uris text[]
-- $2 local_ids bigint[]
-- rows: one for each that exists, deleted ones too
-- plan: no sequential scan
select
  s.id, s.account_id,
  exists (select from accounts a where a.id = s.in_reply_to_account_id and a.domain is null) as answers_local
from statuses s
where s.id in (
  select r.id from statuses r where r.uri = any ((select $1::text[])::text[])
  union all
  select l.id from statuses l where l.id = any ((select $2::bigint[])::bigint[]) and l.local
)
