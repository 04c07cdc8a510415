-- The data of a version besides its texts that the history of a status stores
-- (status_edits.details).
create or replace function version_details(status statuses) returns jsonb
language sql stable as $$
  select jsonb_build_object('media', array(
    select jsonb_build_object('id', m.id::text, 'description', m.description)
    from unnest(status.media_attachment_ids) with ordinality i (id, place)
    join media_attachments m on m.id = i.id
    order by i.place
  )) || coalesce((select jsonb_build_object('poll', p.options) from polls p where p.status_id = status.id), '{}')
$$;
