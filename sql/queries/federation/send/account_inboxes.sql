-- account_inboxes: the inboxes for changes of a local account: those of its followers, of accounts
-- that have reported it, of at most 2000 accounts that it has mentioned, followed or requested to
-- follow within two days, and of relays; for a deletion, those of all known accounts.
-- $1 account bigint
-- $2 everybody boolean
-- rows: one an inbox
-- plan: the known accounts of other servers, for a deletion
with recent as materialized (
  (
    select m.account_id
    from statuses s
    join mentions m on m.status_id = s.id and not m.silent
    where s.account_id = $1 and s.id > first_snowflake(now() - interval '2 days') and s.deleted_at is null
  )
  union
  select f.target_account_id from follows f where f.account_id = $1 and f.created_at > now() - interval '2 days'
  union
  select r.target_account_id from follow_requests r where r.account_id = $1 and r.created_at > now() - interval '2 days'
  limit 2000
), reached as (
  select f.account_id from follows f where f.target_account_id = $1
  union
  select r.account_id from reports r where r.target_account_id = $1
  union
  select recent.account_id from recent
  union
  select x.id from accounts x where $2::boolean and x.inbox_url <> ''
)
select distinct coalesce(nullif(a.shared_inbox_url, ''), a.inbox_url) as inbox
from reached
join accounts a on a.id = reached.account_id
where a.inbox_url <> '' and a.suspended_at is null
  and not exists (
    select from delivery_hosts h where h.host = substring(a.inbox_url from '^https?://([^/?#]+)') and h.unavailable_since is not null
  )
union
select inbox
-- Those that the account has blocked may have copies to delete.
from relay_inboxes($1, case when $2::boolean then '-infinity'::timestamptz end) inbox
