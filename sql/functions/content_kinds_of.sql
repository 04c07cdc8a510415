-- The kinds of content of a status that are stored in other tables: kinds of its attachments, a
-- poll, a quote, a link with a preview, an embedded video.
create or replace function content_kinds_of(status bigint, attachments bigint[]) returns text[]
language plpgsql stable as $$
begin
  return array(
    select case when m.type = 'gifv' then 'video' else m.type end as kind from media_attachments m where m.id = any (attachments)
    union
    select 'poll' from polls p where p.status_id = status
    union
    select 'quote' from quotes q where q.status_id = status
    union
    select 'link' from preview_cards_statuses l where l.status_id = status
    union
    select 'embed'
    from preview_cards_statuses l
    join preview_cards p on p.id = l.preview_card_id
    where l.status_id = status and p.type = 'video'
    order by kind
  );
end
$$;
