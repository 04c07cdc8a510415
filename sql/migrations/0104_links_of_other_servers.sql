--! function content_kinds_of
-- The search finds posts of other servers by the previews of the pages that they link (`has:link`).
-- Those of this server it finds by their texts. Reads all rows of preview_cards_statuses and writes
-- their statuses; locks only these.
update statuses s
set content_kinds = content_kinds_of(s.id, s.media_attachment_ids)
where s.id in (select l.status_id from preview_cards_statuses l)
  and not s.local and s.deleted_at is null and not s.content_kinds @> '{link}';
