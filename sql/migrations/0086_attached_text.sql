--! no transaction
-- The search for statuses finds words in the descriptions of attachments and in the options of polls too; so far only in text and content warning.
-- Locks: nobody waits for the indexes. Statuses with a poll or with described attachments are locked while they are given those texts, about as
-- long as by 0050_kinds_of_statuses.sql; the index of a million takes 15 to 20 seconds. It may be run again when it was cut off.

alter table statuses add column if not exists attached_text text not null default '';
comment on column statuses.attached_text is 'descriptions of its attachments and options of its poll, for the search; triggers keep it';

create or replace function attached_text_of(status bigint, attachments bigint[]) returns text
language plpgsql stable as $$
begin
  return concat_ws(
    E'\n\n',
    (
      select string_agg(m.description, E'\n\n' order by array_position(attachments, m.id))
      from media_attachments m
      where m.id = any (attachments) and m.description <> ''
    ),
    (select array_to_string(p.options, E'\n\n') from polls p where p.status_id = status)
  );
end
$$;

-- A status that is written has its attachments already; it is given what else it has as that is written.
create or replace function take_kinds() returns trigger
language plpgsql as $$
begin
  new.kinds := kinds_of_status(new.id, new.media_attachment_ids);
  new.attached_text := attached_text_of(new.id, new.media_attachment_ids);
  return new;
end
$$;

create or replace function note_kinds(status bigint) returns void
language sql as $$
  update statuses s
  set kinds = found.kinds, attached_text = found.attached_text
  from (
    select
      t.id, kinds_of_status(t.id, t.media_attachment_ids) as kinds,
      attached_text_of(t.id, t.media_attachment_ids) as attached_text
    from statuses t
    where t.id = status
  ) found
  where s.id = found.id and (s.kinds, s.attached_text) <> (found.kinds, found.attached_text)
$$;

create or replace trigger media_attachments_described after update of description on media_attachments
for each row when (new.description is distinct from old.description and new.status_id is not null)
execute function note_kinds_of_status();
create or replace trigger polls_worded after update of options on polls
for each row when (new.options <> old.options) execute function note_kinds_of_status();

-- As status_search_vector has been (0050_kinds_of_statuses.sql), with the attached text.
create or replace function status_search_vector(
  id bigint, account_id bigint, text text, content text, spoiler_text text, language text, sensitive boolean, in_reply_to_id bigint,
  media_attachment_ids bigint[], visibility visibility, kinds text[], attached_text text
) returns tsvector
language plpgsql immutable parallel safe cost 1000 as $$
begin
  return to_tsvector('simple', spoiler_text || E'\n\n' || case when text = '' then content else text end || E'\n\n' || attached_text)
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
set attached_text = found.attached_text
from (
  select t.id, attached_text_of(t.id, t.media_attachment_ids) as attached_text
  from (
    select m.status_id from media_attachments m where m.status_id is not null and m.description <> ''
    union
    select p.status_id from polls p
  ) having_some
  join statuses t on t.id = having_some.status_id
) found
where s.id = found.id and s.attached_text <> found.attached_text;

--! then

drop index concurrently if exists statuses_by_words;

--! then

-- The list of what is not yet sorted in is kept short, because every search reads it.
create index concurrently statuses_by_words on statuses using gin (
  status_search_vector(
    id, account_id, text, content, spoiler_text, language, sensitive, in_reply_to_id, media_attachment_ids, visibility, kinds, attached_text
  )
) with (gin_pending_list_limit = 128) where deleted_at is null and reblog_of_id is null;

--! then

drop index concurrently if exists statuses_found;

--! then

drop function if exists status_search_vector(
  bigint, bigint, text, text, text, text, boolean, bigint, bigint[], visibility, text[]
);
