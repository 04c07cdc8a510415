--! no transaction
--! replaces ac52a93fb87373163b15e1d29a4382d1a56a5d89d6435aa005a337e3ccbf4772
--! function content_kinds_of
-- The search finds posts of other servers by the previews of the pages that they link (`has:link`).
-- Those of this server it finds by their texts. Statuses with a preview are read and written in
-- batches of 1,000, each committed on its own, so that nobody waits for long and the event log goes
-- on; after an interruption those that are done are passed over.
do $$
declare
  last bigint := 0;
  batch bigint[];
begin
  loop
    batch := array(select l.status_id from preview_cards_statuses l where l.status_id > last order by l.status_id limit 1000);
    exit when cardinality(batch) = 0;
    update statuses s
    set content_kinds = content_kinds_of(s.id, s.media_attachment_ids)
    where s.id = any (batch) and not s.local and s.deleted_at is null and not s.content_kinds @> '{link}';
    commit;
    last := batch[cardinality(batch)];
  end loop;
end
$$;
