-- A trigger of statuses. A new status already has its attachments; its other content is added when
-- that is stored.
create or replace function set_content_kinds() returns trigger
language plpgsql as $$
begin
  new.content_kinds := content_kinds_of(new.id, new.media_attachment_ids);
  new.attached_text := attached_text_of(new.id, new.media_attachment_ids);
  return new;
end
$$;
