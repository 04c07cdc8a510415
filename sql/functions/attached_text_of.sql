-- The descriptions of a status's attachments and the options of its poll, for the search.
create or replace function attached_text_of(status bigint, attachments bigint[]) returns text
language plpgsql stable as $$
begin
  return concat_ws(
    E'\n\n',
    (
      select string_agg(m.description, E'\n\n' order by array_position(attachments, m.id))
      from media_attachments m
      where m.id = any (attachments) and m.description <> ''
    ),
    (select array_to_string(p.options, E'\n\n') from polls p where p.status_id = status)
  );
end
$$;
