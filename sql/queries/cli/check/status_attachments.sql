-- status_attachments: finds statuses of a batch that list attachments which do not belong to them.
-- On request, the author's unused attachments are attached, and others are no longer listed.
-- $1 after bigint
-- $2 fix boolean
-- rows: one; last: the last row of the batch, null when there are no more
-- plan: a batch by key, with look-ups by index
with batch as materialized (
  select s.id, s.account_id, s.media_attachment_ids as listed, s.deleted_at is null as is_shown
  from statuses s
  where s.id > $1
  order by s.id
  limit 1000
), wrong as materialized (
  select
    batch.id, i.id as attachment_id, m.id is not null and m.account_id = batch.account_id and m.status_id is null as is_free
  from batch
  cross join unnest(batch.listed) i (id)
  left join media_attachments m on m.id = i.id
  where batch.is_shown and m.status_id is distinct from batch.id
), attached as (
  update media_attachments m set status_id = wrong.id, scheduled_status_id = null
  from wrong
  where $2 and wrong.is_free and m.id = wrong.attachment_id and m.status_id is null
  returning m.status_id as id
), unlisted as (
  update statuses s
  set media_attachment_ids = array(
    select i.id
    from unnest(s.media_attachment_ids) with ordinality i (id, place)
    where i.id not in (select w.attachment_id from wrong w where w.id = s.id and not w.is_free)
    order by i.place
  )
  where $2 and s.id in (select wrong.id from wrong where not wrong.is_free)
  returning s.id
), logged as (
  insert into events (kind, status_id)
  select 'status.counted', changed.id from (select attached.id from attached union select unlisted.id from unlisted) changed
  returning event_json(events) as event
)
select
  (select max(batch.id) from batch) as last,
  (select count(*) from batch)::integer as checked,
  (select jsonb_agg(jsonb_build_object('id', wrong.id::text, 'problem', format(
      'its attachment %s %s', wrong.attachment_id,
      case when wrong.is_free then 'is not attached' else 'does not exist or belongs to another status' end
    )) order by wrong.id, wrong.attachment_id) from wrong) as findings,
  (select jsonb_agg(logged.event) from logged) as events
