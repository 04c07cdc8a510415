-- The search for statuses that quote another, or show a film of another site (`is:quote`, `has:embed`).
-- Locks: none; a function is replaced.

-- What a status has that its own row does not tell: kinds of its attachments, a poll, a quote, an embedded film.
create or replace function kinds_of_status(status bigint, attachments bigint[]) returns text[]
language plpgsql stable as $$
begin
  return array(
    select case when m.type = 'gifv' then 'video' else m.type end from media_attachments m where m.id = any (attachments)
    union
    select 'poll' from polls p where p.status_id = status
    union
    select 'quote' from quotes q where q.status_id = status
    union
    select 'embed'
    from preview_cards_statuses l
    join preview_cards p on p.id = l.preview_card_id
    where l.status_id = status and p.type = 'video'
  );
end
$$;
