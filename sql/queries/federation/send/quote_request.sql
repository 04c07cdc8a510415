-- quote_request: a pending quote of a remote status by a local one.
-- $1 quote bigint
-- rows: none or one
-- plan: no sequential scan
select q.status_id, q.account_id, s.uri, a.uri as author, a.inbox_url
from quotes q
join statuses s on s.id = q.quoted_status_id and s.uri is not null and s.deleted_at is null
join accounts a on a.id = q.quoted_account_id and a.inbox_url <> '' and a.suspended_at is null
where q.id = $1 and q.state = 'pending'
