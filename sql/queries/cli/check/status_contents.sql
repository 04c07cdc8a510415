-- status_contents: compares the kinds of content and the texts for the search of a batch of
-- statuses with their attachments, polls, quotes and previews, and corrects them on request.
-- $1 after bigint
-- $2 fix boolean
-- rows: one; last: the last row of the batch, null when there are no more
-- plan: a batch by key, with look-ups by index
with batch as materialized (
  select s.id, s.media_attachment_ids, s.content_kinds, s.attached_text, s.deleted_at is null as is_shown
  from statuses s
  where s.id > $1
  order by s.id
  limit 1000
), compared as materialized (
  select
    batch.*, content_kinds_of(batch.id, batch.media_attachment_ids) as kinds,
    attached_text_of(batch.id, batch.media_attachment_ids) as described
  from batch
  where batch.is_shown
), wrong as materialized (
  select compared.*
  from compared
  where (compared.content_kinds, compared.attached_text) is distinct from (compared.kinds, compared.described)
), fixed as (
  update statuses s set content_kinds = wrong.kinds, attached_text = wrong.described from wrong where $2 and s.id = wrong.id
  returning s.id
), logged as (
  insert into events (kind, status_id) select 'status.counted', fixed.id from fixed
  returning event_json(events) as event
)
select
  (select max(batch.id) from batch) as last,
  (select count(*) from batch)::integer as checked,
  (select jsonb_agg(jsonb_build_object('id', wrong.id::text, 'problem', case
      when wrong.content_kinds <> wrong.kinds then format('content_kinds is %s, found %s', wrong.content_kinds, wrong.kinds)
      else 'attached_text differs from its attachments and poll'
    end) order by wrong.id) from wrong) as findings,
  (select jsonb_agg(logged.event) from logged) as events
