-- followers_inboxes: the inboxes of the remote followers of local accounts, except those on one
-- host.
-- $1 accounts bigint[]
-- $2 without text
-- rows: one an inbox
-- plan: no sequential scan
select distinct coalesce(nullif(a.shared_inbox_url, ''), a.inbox_url) as inbox
from follows f
join accounts a on a.id = f.account_id
cross join lateral substring(a.inbox_url from '^https?://([^/?#]+)') host
where f.target_account_id = any ((select $1::bigint[])::bigint[]) and a.inbox_url <> '' and a.suspended_at is null
  and host <> $2::text
  and not exists (select from delivery_hosts h where h.host = host.host and h.unavailable_since is not null)
