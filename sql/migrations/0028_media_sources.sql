-- The file as it was uploaded, kept while audio or video is converted.
-- Locks: media_attachments for a moment; the column is empty at first.

alter table media_attachments add column source_key text;
