-- endorsements: finds endorsements of a batch of accounts that their endorser does not follow;
-- removes them on request.
-- $1 after bigint
-- $2 fix boolean
-- rows: one; last: the last row of the batch, null when there are no more
-- plan: a batch by key, with look-ups by index
with batch as materialized (
  select e.id, e.account_id, e.target_account_id from endorsements e where e.id > $1 order by e.id limit 1000
), wrong as materialized (
  select batch.id, batch.account_id, batch.target_account_id
  from batch
  where not exists (
    select from follows f where f.account_id = batch.account_id and f.target_account_id = batch.target_account_id
  )
), fixed as (
  delete from endorsements e using wrong where $2 and e.id = wrong.id
  returning e.account_id, e.target_account_id
), logged as (
  insert into events (kind, actor_id, account_id, data)
  select 'relationship.changed', fixed.account_id, fixed.target_account_id, '{"change": "unendorse"}'::jsonb from fixed
  returning event_json(events) as event
)
select
  (select max(batch.id) from batch) as last,
  (select count(*) from batch)::integer as checked,
  (select jsonb_agg(jsonb_build_object('id', wrong.id::text, 'problem', format('the account %s endorses %s without following it', wrong.account_id, wrong.target_account_id)) order by wrong.id) from wrong) as findings,
  (select jsonb_agg(logged.event) from logged) as events
