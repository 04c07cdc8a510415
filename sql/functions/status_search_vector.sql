--! function search_words
-- The search vector of a status. Words are lexemes as written; marks begin with `=`, unlike any
-- word: the author, the language, the kinds of content, and the time ranges of the status, 3 days
-- (fine, 2^44 of the ids) and 99 days (coarse, 2^49) long. A search reads one range after another,
-- the newest first, so that a very frequent word costs no more than a rare one.
-- Not inlined, and with a high cost: it is to be looked up in the index, not computed for each row.
-- The kinds are collected before the vector: PostgreSQL evaluates an expression without a
-- sub-select directly, and needs a statement with its executor for any other (0.03 ms of the 0.7 of
-- a post).
-- It keeps the search path of its creation: PostgreSQL builds an index without one.
-- The index statuses_search is built with it: a change of its result needs a migration that
-- rebuilds that index.
create or replace function status_search_vector(
  id bigint, account_id bigint, text text, content text, spoiler_text text, language text, sensitive boolean, in_reply_to_id bigint,
  media_attachment_ids bigint[], visibility visibility, content_kinds text[], attached_text text
) returns tsvector
language plpgsql immutable parallel safe cost 1000 set search_path from current as $$
declare
  words text := search_words(spoiler_text || E'\n\n' || case when text = '' then content else text end || E'\n\n' || attached_text);
  kinds text[] := '{}';
begin
  -- As unaccented_words. Most texts are ASCII when typographic punctuation and emojis are gone.
  if octet_length(words) <> length(words) then
    words := unaccent(words);
  end if;
  if content_kinds <> '{}' then
    kinds := array(select '=' || kind from unnest(content_kinds) kind);
  end if;
  return to_tsvector('simple', words)
    || array_to_tsvector(
      array['=author:' || account_id, '=fine:' || (id >> 44), '=coarse:' || (id >> 49)]
      || case when language is not null then array['=language:' || lower(language)] else '{}' end
      || case when visibility = 'public' then array['=public'] else '{}' end
      || case when sensitive then array['=sensitive'] else '{}' end
      || case when in_reply_to_id is not null then array['=reply'] else '{}' end
      || case when media_attachment_ids <> '{}' then array['=media'] else '{}' end
      || case when text like '%http://%' or text like '%https://%' then array['=link'] else '{}' end
      || kinds
    );
end
$$;
