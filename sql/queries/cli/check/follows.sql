-- follows: finds follows of a batch of an account by itself, between accounts with a block, or
-- beside a request for the same; on request the follow is removed, or the request.
-- $1 after bigint
-- $2 fix boolean
-- rows: one; last: the last row of the batch, null when there are no more
-- plan: a batch by key, with look-ups by index
with batch as materialized (
  select f.id, f.account_id, f.target_account_id from follows f where f.id > $1 order by f.id limit 1000
), wrong as materialized (
  select
    batch.*,
    r.id as request_id,
    batch.account_id = batch.target_account_id as is_own,
    exists (select from blocks b where b.account_id = batch.account_id and b.target_account_id = batch.target_account_id)
      or exists (select from blocks b where b.account_id = batch.target_account_id and b.target_account_id = batch.account_id)
      as is_blocked
  from batch
  left join follow_requests r on r.account_id = batch.account_id and r.target_account_id = batch.target_account_id
), found as materialized (
  select wrong.* from wrong where wrong.is_own or wrong.is_blocked or wrong.request_id is not null
), ended as (
  delete from follows f using found where $2 and f.id = found.id and (found.is_own or found.is_blocked)
  returning f.account_id, f.target_account_id
), withdrawn as (
  delete from follow_requests r using found where $2 and r.id = found.request_id
  returning r.account_id, r.target_account_id
), logged as (
  insert into events (kind, actor_id, account_id, data)
  select 'relationship.changed', ended.account_id, ended.target_account_id, '{"change": "unfollow"}'::jsonb from ended
  union all
  select 'relationship.changed', withdrawn.account_id, withdrawn.target_account_id, '{"change": "unrequest"}'
  from withdrawn
  returning event_json(events) as event
)
select
  (select max(batch.id) from batch) as last,
  (select count(*) from batch)::integer as checked,
  (select jsonb_agg(jsonb_build_object('id', found.id::text, 'problem', format(
      'the account %s follows %s, %s', found.account_id, found.target_account_id,
      case when found.is_own then 'itself' when found.is_blocked then 'with a block between them' else 'and requests to follow it' end
    )) order by found.id) from found) as findings,
  (select jsonb_agg(logged.event) from logged) as events
