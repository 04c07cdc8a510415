-- Frames of link previews were stored at any length, and every rendering of a status contains them.
-- Those that are no longer accepted are removed, and their previews become plain links until the
-- page is fetched again. Reads all previews once; locks only the rows that it changes.
with changed as (
  update preview_cards k set html = '', type = 'link', width = 0, height = 0 where length(k.html) > 4096 returning k.id
)
insert into events (kind, object_id, data) select 'preview_card.changed', changed.id, '{"status_ids": null}' from changed;
