-- quotes: finds quotes of a batch whose accounts are not the authors of the two statuses, or that
-- are accepted although the quoting status is deleted; corrects them on request.
-- $1 after bigint
-- $2 fix boolean
-- rows: one; last: the last row of the batch, null when there are no more
-- plan: a batch by key, with look-ups by index
with batch as materialized (
  select q.id, q.status_id, q.account_id, q.quoted_status_id, q.quoted_account_id, q.state
  from quotes q
  where q.id > $1
  order by q.id
  limit 1000
), wrong as materialized (
  select
    batch.id, s.account_id, coalesce(o.account_id, batch.quoted_account_id) as quoted_account_id,
    batch.state = 'accepted' and s.deleted_at is not null as is_ended
  from batch
  join statuses s on s.id = batch.status_id
  left join statuses o on o.id = batch.quoted_status_id
  where batch.account_id <> s.account_id
    or batch.quoted_account_id <> o.account_id
    or (batch.state = 'accepted' and s.deleted_at is not null)
), fixed as (
  update quotes q
  set account_id = wrong.account_id, quoted_account_id = wrong.quoted_account_id,
    state = case when wrong.is_ended then 'revoked' else q.state end
  from wrong
  where $2 and q.id = wrong.id
  returning q.status_id
), logged as (
  insert into events (kind, status_id) select 'status.counted', fixed.status_id from fixed
  returning event_json(events) as event
)
select
  (select max(batch.id) from batch) as last,
  (select count(*) from batch)::integer as checked,
  (select jsonb_agg(jsonb_build_object('id', wrong.id::text, 'problem', case
      when wrong.is_ended then 'it is accepted, but the quoting status is deleted'
      else 'its accounts are not the authors of its statuses'
    end) order by wrong.id) from wrong) as findings,
  (select jsonb_agg(logged.event) from logged) as events
