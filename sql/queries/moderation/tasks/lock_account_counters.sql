-- lock_account_counters: locks the counters of a batch of accounts, as recount_accounts reads it.
-- $1 after bigint
-- rows: one
-- plan: no sequential scan
with locked as (
  select c.account_id
  from account_stats c
  where c.account_id in (select a.id from accounts a where a.id > $1 order by a.id limit 200)
  order by c.account_id
  for no key update
)
select count(*)::integer as locked from locked
