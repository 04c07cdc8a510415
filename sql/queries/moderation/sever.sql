-- sever: ends a batch of follows by a suspended remote account; notifies each local account that it
-- followed.
-- $1 account bigint
-- $2 limit integer
-- rows: one; how many follows ended
-- plan: no sequential scan
with part as materialized (
  select f.id, f.target_account_id, handle_of(a) as handle, f.show_reblogs, f.notify, f.languages
  from accounts a
  join follows f on f.account_id = a.id
  where a.id = $1 and a.domain is not null and a.suspended_at is not null
  order by f.target_account_id
  limit $2::integer
), ended as (
  delete from follows f using part where f.id = part.id returning part.target_account_id, part.handle, part.show_reblogs, part.notify, part.languages
), severed as materialized (
  insert into severances (id, account_id, type, target_name, followers_count)
  select snowflake(), ended.target_account_id, 'account_suspension', ended.handle, 1 from ended order by ended.target_account_id
  returning severances.id, severances.account_id
), kept as (
  insert into severed_follows (severance_id, following, handle, show_reblogs, notify, languages)
  select severed.id, false, ended.handle, ended.show_reblogs, ended.notify, ended.languages
  from severed join ended on ended.target_account_id = severed.account_id
), logged as (
  insert into events (kind, actor_id, account_id, data)
  select 'relationship.changed', $1, ended.target_account_id, '{"change": "unfollow"}' from ended
  returning event_json(events) as event
), notified as materialized (
  select notify(severed.account_id, severed.account_id, 'severed_relationships', null, severed.id) as event from severed
)
select
  (select count(*) from ended)::integer as ended,
  (
    select jsonb_agg(every.event)
    from (select logged.event from logged union all select notified.event from notified where notified.event is not null) every
  ) as events
