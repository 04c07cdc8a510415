-- Updates statuses.content_kinds and statuses.attached_text of one status.
create or replace function refresh_content_kinds(status bigint) returns void
language sql as $$
  update statuses s
  set content_kinds = found.content_kinds, attached_text = found.attached_text
  from (
    select
      t.id, content_kinds_of(t.id, t.media_attachment_ids) as content_kinds,
      attached_text_of(t.id, t.media_attachment_ids) as attached_text
    from statuses t
    where t.id = status
  ) found
  where s.id = found.id and (s.content_kinds, s.attached_text) <> (found.content_kinds, found.attached_text)
$$;
