-- follows: ends up to a thousand follows by and of an account; triggers update the counters.
-- $1 account bigint
-- rows: one
-- plan: no sequential scan
with deleted as (
  delete from follows f
  where f.id in (
    select all_of.id
    from (
      (select f.id from follows f where f.account_id = $1 limit 1000)
      union
      (select f.id from follows f where f.target_account_id = $1 limit 1000)
    ) all_of
    limit 1000
  )
  returning f.account_id, f.target_account_id
), logged as (
  insert into events (kind, actor_id, account_id, data)
  select 'relationship.changed', deleted.account_id, deleted.target_account_id, '{"change": "unfollow"}' from deleted
  returning event_json(events) as event
)
select (select count(*) from deleted)::integer as removed, (select jsonb_agg(logged.event) from logged) as events
