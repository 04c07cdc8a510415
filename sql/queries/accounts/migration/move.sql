-- move: redirects an account to another one, and, when the flag is true, records a move of its
-- followers.
-- $1 account bigint
-- $2 target bigint
-- $3 with_followers boolean
-- rows: one; migration: null without followers
-- plan: no sequential scan
with moved as (
  update accounts a set moved_to_account_id = $2, updated_at = now() where a.id = $1 returning a.id
), recorded as (
  insert into account_migrations (account_id, target_account_id, followers_count)
  select moved.id, $2, coalesce((select s.followers_count from account_stats s where s.account_id = moved.id), 0)
  from moved
  where $3::boolean
  returning account_migrations.id
), logged as (
  insert into events (kind, actor_id, account_id, data)
  select 'account.changed', moved.id, moved.id, '{"change": "moved"}'::jsonb from moved
  returning event_json(events) as event
)
select (select recorded.id from recorded) as migration, (select jsonb_agg(logged.event) from logged) as events
