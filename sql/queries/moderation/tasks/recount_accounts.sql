-- recount_accounts: recounts the statuses, follows and followers of a batch of accounts.
-- $1 after bigint
-- rows: one; last: the last account of the batch, null when there are no more
-- plan: no sequential scan
with batch as materialized (
  select a.id from accounts a where a.id > $1 order by a.id limit 200
), counted as materialized (
  select
    batch.id,
    (select count(*) from statuses s where s.account_id = batch.id and s.deleted_at is null and s.visibility <> 'direct') as statuses,
    (select count(*) from follows f where f.account_id = batch.id) as following,
    (select count(*) from follows f where f.target_account_id = batch.id) as followers,
    (
      select max(s.created_at) from statuses s
      where s.account_id = batch.id and s.deleted_at is null and s.visibility <> 'direct'
    ) as last_status_at
  from batch
), corrected as (
  insert into account_stats as c (account_id, statuses_count, following_count, followers_count, last_status_at)
  select counted.id, counted.statuses, counted.following, counted.followers, counted.last_status_at from counted
  on conflict (account_id) do update
  -- What is not known here is known to the account's own server, whose counts stay.
  set statuses_elsewhere = case
      when c.statuses_elsewhere <> 0 then least(c.statuses_elsewhere + c.statuses_count - excluded.statuses_count, 2147483647)
      else 0
    end,
    statuses_count = excluded.statuses_count, following_count = excluded.following_count,
    followers_count = excluded.followers_count, last_status_at = excluded.last_status_at
  where (c.statuses_count, c.following_count, c.followers_count)
    is distinct from (excluded.statuses_count, excluded.following_count, excluded.followers_count)
  returning c.account_id
), logged as (
  insert into events (kind, account_id, data)
  select 'account.changed', corrected.account_id, '{"change": "counts"}' from corrected
  returning event_json(events) as event
)
select
  (select max(batch.id) from batch) as last,
  (select count(*) from batch)::integer as recounted,
  (select jsonb_agg(logged.event) from logged) as events
