-- What a status is found by. Words are lexemes as they are written; marks begin with `=`, which no word does: the author, the language, what
-- it has, and the times it was posted in, 3 days (fine, 2^44 of the ids) and 99 days (coarse, 2^49) long. A search goes through these times,
-- the newest first, so that a word that very many statuses have costs no more than one that some have.
-- Not inlined, and dear: it is to be looked up in the index, not computed for each row.
-- The index statuses_search is made of it: a change of what it gives needs a migration that builds that index anew.
create or replace function status_search_vector(
  id bigint, account_id bigint, text text, content text, spoiler_text text, language text, sensitive boolean, in_reply_to_id bigint,
  media_attachment_ids bigint[], visibility visibility, content_kinds text[], attached_text text
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
      || case when content_kinds <> '{}' then array(select '=' || kind from unnest(content_kinds) kind) else '{}' end
    );
end
$$;
