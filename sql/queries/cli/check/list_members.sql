-- list_members: finds members of a batch of lists whom the list's owner neither follows nor wants
-- to follow by the stored follow; stores the right follow on request, or removes the member.
-- $1 after bigint
-- $2 fix boolean
-- rows: one; last: the last row of the batch, null when there are no more
-- plan: a batch by key, with look-ups by index
with batch as materialized (
  select l.id, l.account_id from lists l where l.id > $1 order by l.id limit 200
), wrong as materialized (
  select batch.id, batch.account_id as owner_id, m.account_id, right_one.id as follow_id
  from batch
  join list_accounts m on m.list_id = batch.id and m.account_id <> batch.account_id
  left join follows f on f.id = m.follow_id and f.account_id = batch.account_id and f.target_account_id = m.account_id
  left join follow_requests r
    on r.id = m.follow_request_id and r.account_id = batch.account_id and r.target_account_id = m.account_id
  left join follows right_one on right_one.account_id = batch.account_id and right_one.target_account_id = m.account_id
  where f.id is null and (r.id is null or right_one.id is not null)
), linked as (
  update list_accounts m set follow_id = wrong.follow_id, follow_request_id = null
  from wrong
  where $2 and wrong.follow_id is not null and m.list_id = wrong.id and m.account_id = wrong.account_id
), removed as (
  delete from list_accounts m using wrong
  where $2 and wrong.follow_id is null and m.list_id = wrong.id and m.account_id = wrong.account_id
  returning m.list_id
), logged as (
  insert into events (kind, account_id, object_id, data)
  select distinct 'list.changed', wrong.owner_id, wrong.id, '{"change": "members"}'::jsonb
  from removed
  join wrong on wrong.id = removed.list_id
  returning event_json(events) as event
)
select
  (select max(batch.id) from batch) as last,
  (select count(*) from batch)::integer as checked,
  (select jsonb_agg(jsonb_build_object('id', wrong.id::text, 'problem', format(
      'its member %s is %s', wrong.account_id,
      case when wrong.follow_id is null then 'not followed by its owner' else 'stored with another follow' end
    )) order by wrong.id, wrong.account_id) from wrong) as findings,
  (select jsonb_agg(logged.event) from logged) as events
