-- account_counters: compares the counters of a batch of local accounts with a recount, and corrects
-- them on request, by the difference: what is posted meanwhile stays counted.
-- $1 after bigint
-- $2 fix boolean
-- rows: one; last: the last row of the batch, null when there are no more
-- plan: a batch by key, with look-ups by index
with batch as materialized (
  select a.id, a.domain from accounts a where a.id > $1 order by a.id limit 200
), compared as materialized (
  select
    batch.id,
    coalesce(c.statuses_count, 0) as statuses_count,
    coalesce(c.following_count, 0) as following_count,
    coalesce(c.followers_count, 0) as followers_count,
    (select count(*) from statuses s where s.account_id = batch.id and s.deleted_at is null and s.visibility <> 'direct') as statuses,
    (select count(*) from follows f where f.account_id = batch.id) as following,
    (select count(*) from follows f where f.target_account_id = batch.id) as followers
  from batch
  left join account_stats c on c.account_id = batch.id
  where batch.domain is null
), wrong as materialized (
  select compared.*
  from compared
  where (compared.statuses_count, compared.following_count, compared.followers_count)
    <> (compared.statuses, compared.following, compared.followers)
), fixed as (
  insert into account_stats as c (account_id, statuses_count, following_count, followers_count)
  select
    wrong.id, wrong.statuses - wrong.statuses_count, wrong.following - wrong.following_count,
    wrong.followers - wrong.followers_count
  from wrong
  where $2
  order by wrong.id
  on conflict (account_id) do update
  set statuses_count = c.statuses_count + excluded.statuses_count,
    following_count = c.following_count + excluded.following_count,
    followers_count = c.followers_count + excluded.followers_count
  returning c.account_id
), logged as (
  insert into events (kind, account_id, data)
  select 'account.changed', fixed.account_id, '{"change": "counts"}' from fixed
  returning event_json(events) as event
)
select
  (select max(batch.id) from batch) as last,
  (select count(*) from batch)::integer as checked,
  (select jsonb_agg(jsonb_build_object('id', wrong.id::text, 'problem', concat_ws(
      ', ',
      case when wrong.statuses_count <> wrong.statuses
        then format('statuses_count is %s, counted %s', wrong.statuses_count, wrong.statuses) end,
      case when wrong.following_count <> wrong.following
        then format('following_count is %s, counted %s', wrong.following_count, wrong.following) end,
      case when wrong.followers_count <> wrong.followers
        then format('followers_count is %s, counted %s', wrong.followers_count, wrong.followers) end
    )) order by wrong.id) from wrong) as findings,
  (select jsonb_agg(logged.event) from logged) as events
