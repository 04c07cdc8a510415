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
select distinct i.inbox
from reached
join reachable_inboxes() i on i.account_id = reached.account_id
union
select relay.inbox
-- Those that the account has blocked may have copies to delete.
from relay_inboxes($1, case when $2::boolean then '-infinity'::timestamptz end) relay (inbox)
