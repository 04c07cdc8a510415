-- liked_status: the URI of a remote status and the inbox of its author.
-- $1 status bigint
-- rows: none or one
-- plan: no sequential scan
select s.uri, a.inbox_url
from statuses s
join accounts a on a.id = s.account_id
where s.id = $1 and s.uri is not null and a.inbox_url <> '' and a.suspended_at is null
