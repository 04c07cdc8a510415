-- refreshable: the URI of a status of another server that everybody may see.
-- $1 status bigint
-- rows: none or one
-- plan: no sequential scan
select s.account_id, s.uri
from statuses s
where s.id = $1 and not s.local and s.uri is not null and s.deleted_at is null and s.reblog_of_id is null
  and s.visibility in ('public', 'unlisted')
