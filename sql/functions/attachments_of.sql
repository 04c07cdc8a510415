-- Attachments in this order, as src/media/attachments/attachment.ts parses them. Null when there is
-- none. The ids are in a sub-select, so that the statement is planned once and not for each list.
create or replace function attachments_of(ids bigint[]) returns jsonb
language sql stable as $$
  select jsonb_agg(
    jsonb_build_object(
      'id', m.id::text, 'type', m.type, 'processing', m.processing, 'file_key', m.file_key, 'preview_key', m.preview_key,
      'remote_url', m.remote_url, 'preview_remote_url', m.preview_remote_url, 'meta', m.meta, 'description', m.description,
      'blurhash', m.blurhash
    )
    order by array_position(ids, m.id)
  )
  from media_attachments m
  where m.id = any ((select ids)::bigint[])
$$;
