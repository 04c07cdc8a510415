--! no transaction
-- The public timeline in chosen languages, and with media of one origin, is read by index however little there is of it. So far all public
-- statuses were looked at for a language that nobody uses: 0.3 to 1.1 s of a million.
-- What a public post pays: 15 bytes of write-ahead log and 0.6 µs more, measured with 50,000 of them, because two indexes go as two come; 33 bytes
-- of disk instead of 24.
-- Locks: nobody waits for the indexes; each takes seconds for a million statuses. It may be run again when it was cut off.

-- With media and without apart, as `only_media` asks for the former alone.
drop index concurrently if exists statuses_public_by_language;

--! then

create index concurrently statuses_public_by_language on statuses (local, language, (media_attachment_ids <> '{}'), id desc)
  where deleted_at is null and visibility = 'public' and reblog_of_id is null
  and (in_reply_to_id is null or in_reply_to_account_id = account_id);

--! then

drop index concurrently if exists statuses_public_media_by_origin;

--! then

create index concurrently statuses_public_media_by_origin on statuses (local, id desc)
  where deleted_at is null and visibility = 'public' and reblog_of_id is null and media_attachment_ids <> '{}'
  and (in_reply_to_id is null or in_reply_to_account_id = account_id);

--! then

-- It stood for both origins; each is read by itself.
drop index concurrently if exists statuses_public_media;

--! then

-- Nothing reads it: the public timeline is that of each origin.
drop index concurrently if exists statuses_public;
