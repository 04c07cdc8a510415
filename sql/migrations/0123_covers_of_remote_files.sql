-- The picture that another server shows for a video or sound. Adds an empty column, which rewrites
-- nothing; posts received before have none.
alter table media_attachments add column preview_remote_url text;
