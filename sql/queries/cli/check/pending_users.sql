-- pending_users: finds accounts of a batch of users that wait for a confirmation or an approval
-- which the user has, or do not wait although it is missing; corrects the account on request.
-- $1 after bigint
-- $2 fix boolean
-- rows: one; last: the last row of the batch, null when there are no more
-- plan: a batch by key, with look-ups by index
with batch as materialized (
  select u.id, u.account_id, u.confirmed_at is null or not u.approved as waits from users u where u.id > $1 order by u.id limit 1000
), wrong as materialized (
  select batch.id, batch.account_id, batch.waits
  from batch
  join accounts a on a.id = batch.account_id
  where a.pending <> batch.waits
), fixed as (
  update accounts a set pending = u.confirmed_at is null or not u.approved
  from wrong
  join users u on u.id = wrong.id
  where $2 and a.id = wrong.account_id
  returning a.id
), logged as (
  insert into events (kind, account_id, data) select 'account.changed', fixed.id, '{"change": "operator"}' from fixed
  returning event_json(events) as event
)
select
  (select max(batch.id) from batch) as last,
  (select count(*) from batch)::integer as checked,
  (select jsonb_agg(jsonb_build_object('id', wrong.id::text, 'problem', format(
      'its account %s is %s', wrong.account_id, case when wrong.waits then 'not pending, but the user is' else 'pending, but the user is not' end
    )) order by wrong.id) from wrong) as findings,
  (select jsonb_agg(logged.event) from logged) as events
