-- replies: finds replies of a batch of statuses to a deleted status, or with another account than
-- its author; corrects them on request.
-- $1 after bigint
-- $2 fix boolean
-- rows: one; last: the last row of the batch, null when there are no more
-- plan: a batch by key, with look-ups by index
with batch as materialized (
  select s.id, s.in_reply_to_id, s.in_reply_to_account_id, s.deleted_at is null as is_shown
  from statuses s
  where s.id > $1
  order by s.id
  limit 1000
), wrong as materialized (
  select
    batch.id, batch.in_reply_to_id, batch.in_reply_to_account_id, p.account_id as author_id, p.deleted_at is not null as is_orphan
  from batch
  join statuses p on p.id = batch.in_reply_to_id
  where batch.is_shown and (p.deleted_at is not null or p.account_id is distinct from batch.in_reply_to_account_id)
), fixed as (
  update statuses s
  set in_reply_to_id = case when wrong.is_orphan then null else s.in_reply_to_id end, in_reply_to_account_id = wrong.author_id
  from wrong
  where $2 and s.id = wrong.id
  returning s.id
), logged as (
  insert into events (kind, status_id) select 'status.counted', fixed.id from fixed
  returning event_json(events) as event
)
select
  (select max(batch.id) from batch) as last,
  (select count(*) from batch)::integer as checked,
  (select jsonb_agg(jsonb_build_object('id', wrong.id::text, 'problem', case
      when wrong.is_orphan then format('it replies to the deleted status %s', wrong.in_reply_to_id)
      else format(
        'it replies to the account %s, but the author of %s is %s', coalesce(wrong.in_reply_to_account_id::text, 'none'),
        wrong.in_reply_to_id, wrong.author_id
      )
    end) order by wrong.id) from wrong) as findings,
  (select jsonb_agg(logged.event) from logged) as events
