-- inboxes: one inbox of each known server, and of its accounts where they share none; relays too.
-- Servers that were given up are left out.
-- rows: one an inbox
-- plan: the known accounts of other servers
select distinct coalesce(nullif(a.shared_inbox_url, ''), a.inbox_url) as inbox
from accounts a
where a.inbox_url <> '' and a.suspended_at is null
  and not exists (
    select from delivery_hosts h where h.host = substring(a.inbox_url from '^https?://([^/?#]+)') and h.unavailable_since is not null
  )
union
select r.inbox_url
from relays r
where r.state = 'accepted' and not exists (select from delivery_hosts h where h.host = r.host and h.unavailable_since is not null)
