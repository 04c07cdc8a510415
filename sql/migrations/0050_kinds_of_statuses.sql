--! no transaction
-- The search for statuses finds kinds (`has:poll`, `is:quote`, `has:video`, …) by its index, as it does everything else. So far each status that the
-- rest of a search found was asked for them: a million with none to find took 38 seconds.
-- Locks: nobody waits for the indexes. Statuses with attachments, polls, quotes or embedded films are locked while they are given their kinds, 25
-- seconds for 130,000 of them; the index of a million takes 15. It may be run again when it was cut off.

alter table statuses add column if not exists kinds text[] not null default '{}';
comment on column statuses.kinds is 'what it has that other tables tell: kinds of its attachments, a poll, a quote, an embedded film; triggers keep it';

create or replace function kinds_of_status(status bigint, attachments bigint[]) returns text[]
language plpgsql stable as $$
begin
  return array(
    select case when m.type = 'gifv' then 'video' else m.type end as kind from media_attachments m where m.id = any (attachments)
    union
    select 'poll' from polls p where p.status_id = status
    union
    select 'quote' from quotes q where q.status_id = status
    union
    select 'embed'
    from preview_cards_statuses l
    join preview_cards p on p.id = l.preview_card_id
    where l.status_id = status and p.type = 'video'
    order by kind
  );
end
$$;

-- A status that is written has its attachments already; it is given what else it has as that is written.
create or replace function take_kinds() returns trigger
language plpgsql as $$
begin
  new.kinds := kinds_of_status(new.id, new.media_attachment_ids);
  return new;
end
$$;

create or replace function note_kinds(status bigint) returns void
language sql as $$
  update statuses s
  set kinds = found.kinds
  from (select t.id, kinds_of_status(t.id, t.media_attachment_ids) as kinds from statuses t where t.id = status) found
  where s.id = found.id and s.kinds <> found.kinds
$$;

create or replace function note_kinds_of_status() returns trigger
language plpgsql as $$
begin
  perform note_kinds(coalesce(new.status_id, old.status_id));
  return null;
end
$$;

create or replace function note_kinds_of_card() returns trigger
language plpgsql as $$
begin
  perform note_kinds(l.status_id) from preview_cards_statuses l where l.preview_card_id = new.id;
  return null;
end
$$;

create or replace trigger statuses_kinds before insert on statuses
for each row when (new.media_attachment_ids <> '{}') execute function take_kinds();
create or replace trigger statuses_kinds_changed before update of media_attachment_ids on statuses
for each row when (new.media_attachment_ids is distinct from old.media_attachment_ids) execute function take_kinds();
create or replace trigger media_attachments_kinds after update of type on media_attachments
for each row when (new.type <> old.type and new.status_id is not null) execute function note_kinds_of_status();
create or replace trigger polls_kinds after insert or delete on polls
for each row execute function note_kinds_of_status();
create or replace trigger quotes_kinds after insert or delete on quotes
for each row execute function note_kinds_of_status();
create or replace trigger preview_cards_statuses_kinds after insert or delete or update of preview_card_id on preview_cards_statuses
for each row execute function note_kinds_of_status();
create or replace trigger preview_cards_kinds after update of type on preview_cards
for each row when ((new.type = 'video') <> (old.type = 'video')) execute function note_kinds_of_card();

-- As status_search_vector has been (0031_status_search.sql), with a mark for each kind.
create or replace function status_search_vector(
  id bigint, account_id bigint, text text, content text, spoiler_text text, language text, sensitive boolean, in_reply_to_id bigint,
  media_attachment_ids bigint[], visibility visibility, kinds text[]
) returns tsvector
language plpgsql immutable parallel safe cost 1000 as $$
begin
  return to_tsvector('simple', spoiler_text || E'\n\n' || case when text = '' then content else text end)
    || array_to_tsvector(
      array['=author:' || account_id, '=fine:' || (id >> 44), '=coarse:' || (id >> 49)]
      || case when language is not null then array['=language:' || lower(language)] else '{}' end
      || case when visibility = 'public' then array['=public'] else '{}' end
      || case when sensitive then array['=sensitive'] else '{}' end
      || case when in_reply_to_id is not null then array['=reply'] else '{}' end
      || case when media_attachment_ids <> '{}' then array['=media'] else '{}' end
      || case when text like '%http://%' or text like '%https://%' then array['=link'] else '{}' end
      || case when kinds <> '{}' then array(select '=' || kind from unnest(kinds) kind) else '{}' end
    );
end
$$;

--! then

update statuses s
set kinds = found.kinds
from (
  select t.id, kinds_of_status(t.id, t.media_attachment_ids) as kinds
  from (
    select m.status_id from media_attachments m where m.status_id is not null
    union
    select p.status_id from polls p
    union
    select q.status_id from quotes q
    union
    select l.status_id from preview_cards_statuses l join preview_cards p on p.id = l.preview_card_id where p.type = 'video'
  ) having_some
  join statuses t on t.id = having_some.status_id
) found
where s.id = found.id and s.kinds <> found.kinds;

--! then

drop index concurrently if exists statuses_found;

--! then

-- The list of what is not yet sorted in is kept short, because every search reads it.
create index concurrently statuses_found on statuses using gin (
  status_search_vector(
    id, account_id, text, content, spoiler_text, language, sensitive, in_reply_to_id, media_attachment_ids, visibility, kinds
  )
) with (gin_pending_list_limit = 128) where deleted_at is null and reblog_of_id is null;

--! then

drop index concurrently if exists statuses_search;

--! then

drop function if exists status_search_vector(bigint, bigint, text, text, text, text, boolean, bigint, bigint[], visibility);
