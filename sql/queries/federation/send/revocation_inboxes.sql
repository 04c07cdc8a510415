-- revocation_inboxes: the inboxes for the Delete of a QuoteAuthorization: that of the quoting
-- author, or those for a local quoting status.
-- $1 quote bigint
-- rows: one an inbox
-- plan: no sequential scan
select inbox.inbox
from quotes q
join statuses s on s.id = q.status_id and s.local
cross join lateral (
  select * from status_inboxes(s.id)
  union
  select * from booster_inboxes(s.id)
) inbox (inbox)
where q.id = $1
union
select coalesce(nullif(a.shared_inbox_url, ''), a.inbox_url)
from quotes q
join accounts a on a.id = q.account_id and a.inbox_url <> '' and a.suspended_at is null
where q.id = $1
