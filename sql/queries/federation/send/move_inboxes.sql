-- move_inboxes: the inboxes for the Move of a local account: those of its followers, of accounts
-- that block it, and of relays.
-- $1 account bigint
-- rows: one an inbox
-- plan: no sequential scan
select distinct coalesce(nullif(a.shared_inbox_url, ''), a.inbox_url) as inbox
from (
  select f.account_id from follows f where f.target_account_id = $1
  union
  select b.account_id from blocks b where b.target_account_id = $1
) reached
join accounts a on a.id = reached.account_id
where a.inbox_url <> '' and a.suspended_at is null
  and not exists (
    select from delivery_hosts h where h.host = substring(a.inbox_url from '^https?://([^/?#]+)') and h.unavailable_since is not null
  )
union
select inbox from relay_inboxes($1) inbox
