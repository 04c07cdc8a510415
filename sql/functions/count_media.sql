-- A trigger of media_attachments: counts the bytes of files and previews by domain, on the day of
-- the attachment.
create or replace function count_media() returns trigger language plpgsql as $$
declare
  attachment media_attachments := case tg_op when 'DELETE' then old else new end;
  bytes bigint := 0;
begin
  if tg_op <> 'INSERT' then
    bytes := -old.file_bytes - old.preview_bytes;
  end if;
  if tg_op <> 'DELETE' then
    bytes := bytes + new.file_bytes + new.preview_bytes;
  end if;
  perform count_by_day(
    'media_bytes', snowflake_day(attachment.id), bytes,
    coalesce((select a.domain from accounts a where a.id = attachment.account_id), '')
  );
  return null;
end
$$;
