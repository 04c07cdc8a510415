-- A trigger of preview_cards: a page that becomes a video, or is one no longer, changes the
-- statuses that show it.
create or replace function refresh_content_kinds_of_card() returns trigger
language plpgsql as $$
begin
  perform refresh_content_kinds(l.status_id) from preview_cards_statuses l where l.preview_card_id = new.id;
  return null;
end
$$;
