-- account_inboxes: the inboxes for news of a local account: those of its followers and of relays;
-- of everybody, when it is deleted.
-- $1 account bigint
-- $2 everybody boolean
-- rows: one an inbox
-- plan: the known accounts of other servers, for a deletion
select distinct coalesce(nullif(a.shared_inbox_url, ''), a.inbox_url) as inbox
from accounts a
where a.inbox_url <> '' and a.suspended_at is null
  and ($2::boolean or exists (select from follows f where f.account_id = a.id and f.target_account_id = $1))
  and not exists (
    select from delivery_hosts h where h.host = substring(a.inbox_url from '^https?://([^/?#]+)') and h.unavailable_since is not null
  )
union
select r.inbox_url
from relays r
where r.state = 'accepted' and not exists (select from delivery_hosts h where h.host = r.host and h.unavailable_since is not null)
