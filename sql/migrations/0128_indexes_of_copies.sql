--! no transaction
-- The nightly removal of copies reads only records that have a file, not every attachment and link
-- preview of the past. The indexes are built without locks, which takes a minute for twenty million
-- attachments. A write costs more only when a file is stored or removed.
drop index concurrently if exists media_attachments_copied;
--! then
create index concurrently media_attachments_copied on media_attachments (id)
where file_key is not null and remote_url is not null;
--! then
drop index concurrently if exists preview_cards_with_image;
--! then
create index concurrently preview_cards_with_image on preview_cards (id) where image_key is not null;
