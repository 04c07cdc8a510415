-- statuses_by_uri: the statuses with these URIs, and the local ones with these ids.
-- $1 uris text[]
-- $2 local_ids bigint[]
-- rows: one for each that exists; uri: null for a local one
-- plan: no sequential scan
select s.id, s.uri, s.account_id, s.local, s.visibility, s.reblog_of_id, s.created_at, s.edited_at
from statuses s
where s.deleted_at is null and s.id in (
  select r.id from statuses r where r.uri = any ((select $1::text[])::text[])
  union all
  select l.id from statuses l where l.id = any ((select $2::bigint[])::bigint[]) and l.local
)
