-- A trigger of statuses. A status that is written has its attachments already; it is given what else it has as that is written.
create or replace function set_content_kinds() returns trigger
language plpgsql as $$
begin
  new.content_kinds := content_kinds_of(new.id, new.media_attachment_ids);
  new.attached_text := attached_text_of(new.id, new.media_attachment_ids);
  return new;
end
$$;
