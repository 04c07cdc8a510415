-- carry_lists: puts the target of a move on the lists of a follower that hold the account that
-- moved, and copies the follower's note.
-- $1 follower bigint
-- $2 account bigint
-- $3 target bigint
-- rows: one
-- plan: no sequential scan
with standing as (
  select
    (select f.id from follows f where f.account_id = $1 and f.target_account_id = $3) as follow_id,
    (select r.id from follow_requests r where r.account_id = $1 and r.target_account_id = $3) as request_id
), listed as (
  insert into list_accounts (list_id, account_id, follow_id, follow_request_id)
  select l.id, $3, standing.follow_id, case when standing.follow_id is null then standing.request_id end
  from standing
  join lists l on l.account_id = $1
  join list_accounts m on m.list_id = l.id and m.account_id = $2
  where standing.follow_id is not null or standing.request_id is not null
  on conflict do nothing
  returning list_accounts.list_id
), noted as (
  insert into account_notes (account_id, target_account_id, comment)
  select $1, $3, n.comment from account_notes n where n.account_id = $1 and n.target_account_id = $2
  on conflict do nothing
  returning account_notes.account_id
), logged as (
  insert into events (kind, actor_id, account_id, object_id, data)
  select 'list.changed', null::bigint, $1::bigint, listed.list_id, '{"change": "members"}'::jsonb from listed
  union all
  select 'relationship.changed', $1, $3, null, '{"change": "note"}' from noted
  returning event_json(events) as event
)
select (select jsonb_agg(logged.event) from logged) as events
