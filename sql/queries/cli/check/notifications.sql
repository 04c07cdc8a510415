-- notifications: finds notifications of a batch without a cause: its favourite, follow, boost or
-- other is gone, or the status was deleted an hour ago or before (until then a job may be removing
-- them); removes them on request.
-- $1 after bigint
-- $2 fix boolean
-- rows: one; last: the last row of the batch, null when there are no more
-- plan: a batch by key, with look-ups by index
with batch as materialized (
  select n.id, n.account_id, n.from_account_id, n.type, n.status_id, n.activity_id
  from notifications n
  where n.id > $1
  order by n.id
  limit 1000
), wrong as materialized (
  select
    batch.id, batch.account_id, batch.type, s.deleted_at is not null as is_of_deleted
  from batch
  left join statuses s on s.id = batch.status_id
  where s.deleted_at < now() - interval '1 hour'
    or not case batch.type
      when 'favourite' then exists (
        select from favourites f
        where f.id = batch.activity_id and f.status_id = batch.status_id and f.account_id = batch.from_account_id
      )
      when 'reblog' then s.deleted_at is not null or exists (
        select from statuses b
        where b.id = batch.activity_id and b.reblog_of_id = batch.status_id and b.account_id = batch.from_account_id
          and b.deleted_at is null
      )
      when 'mention' then exists (
        select from mentions m
        where m.id = batch.activity_id and m.status_id = batch.status_id and m.account_id = batch.account_id
      )
      when 'follow' then exists (
        select from follows f
        where f.id = batch.activity_id and f.account_id = batch.from_account_id and f.target_account_id = batch.account_id
      )
      when 'follow_request' then exists (
        select from follow_requests r
        where r.id = batch.activity_id and r.account_id = batch.from_account_id and r.target_account_id = batch.account_id
      )
      when 'quote' then exists (select from quotes q where q.id = batch.activity_id and q.status_id = batch.status_id)
      when 'quoted_update' then exists (select from quotes q where q.id = batch.activity_id and q.status_id = batch.status_id)
      when 'moderation_warning' then exists (select from account_warnings w where w.id = batch.activity_id)
      when 'severed_relationships' then exists (select from severances v where v.id = batch.activity_id)
      when 'admin.report' then exists (select from reports r where r.id = batch.activity_id)
      when 'added_to_collection' then exists (select from collections c where c.id = batch.activity_id)
      when 'collection_update' then exists (select from collections c where c.id = batch.activity_id)
      when 'annual_report' then exists (select from annual_reports r where r.id = batch.activity_id)
      when 'admin.sign_up' then true
      else batch.status_id is not null
    end
), fixed as (
  delete from notifications n using wrong where $2 and n.id = wrong.id
  returning n.account_id
), logged as (
  insert into events (kind, account_id, data)
  select distinct 'notifications.changed', fixed.account_id, '{"change": "withdrawn"}'::jsonb from fixed
  returning event_json(events) as event
)
select
  (select max(batch.id) from batch) as last,
  (select count(*) from batch)::integer as checked,
  (select jsonb_agg(jsonb_build_object('id', wrong.id::text, 'problem', format(
      'a notification (%s) of the account %s %s', wrong.type, wrong.account_id,
      case when wrong.is_of_deleted then 'about a deleted status' else 'whose cause is gone' end
    )) order by wrong.id) from wrong) as findings,
  (select jsonb_agg(logged.event) from logged) as events
