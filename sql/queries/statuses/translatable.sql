-- translatable: the translatable texts of a status, or of the boosted one, if the viewer may see
-- it.
-- $1 viewer bigint
-- $2 status bigint
-- rows: none or one
-- plan: no sequential scan
select
  s.visibility,
  s.language,
  s.content,
  s.spoiler_text,
  (select jsonb_build_object('id', p.id::text, 'options', p.options) from polls p where p.status_id = s.id) as poll,
  (
    select jsonb_agg(jsonb_build_object('id', m.id::text, 'description', coalesce(m.description, '')) order by i.place)
    from unnest(s.media_attachment_ids) with ordinality i (id, place)
    join media_attachments m on m.id = i.id
  ) as media
from visible_statuses($1) input
join visible_statuses($1) s on s.id = coalesce(input.reblog_of_id, input.id)
where input.id = $2
