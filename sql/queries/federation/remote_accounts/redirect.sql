-- redirect: compares the account that an actor document names as `movedTo` with the stored one:
-- without one a stored redirection ends; for another one the job is enqueued that stores it.
-- $1 account bigint
-- $2 target text
-- $3 local_target bigint
-- rows: none when nothing differs, else one
-- plan: no sequential scan
with known as materialized (
  select a.id, a.moved_to_account_id
  from accounts a
  left join accounts t on t.id = a.moved_to_account_id
  where a.id = $1 and case when $2::text is null then t.id is not null else (t.uri = $2 or t.id = $3) is not true end
), ended as (
  update accounts a set moved_to_account_id = null, updated_at = now()
  from known
  where a.id = known.id and $2 is null
  returning a.id
), logged as (
  insert into events (kind, account_id, data)
  select 'account.changed', ended.id, '{"change": "moved"}'::jsonb from ended
  returning event_json(events) as event
)
select
  case when $2 is not null then enqueue(
    'federation.store_redirection',
    json_build_object('account', known.id::text, 'target', $2),
    attempts => 3,
    priority => 20,
    job_key => 'federation.redirection:' || known.id
  ) end as job,
  (select jsonb_agg(logged.event) from logged) as events
from known
