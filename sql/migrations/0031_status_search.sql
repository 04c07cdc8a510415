-- What the search for statuses stands on: one index of their words and of marks for what else is asked for.
-- Locks: writers of statuses wait while the index is built, about a minute for a million statuses.

-- What a status is found by. Words are lexemes as they are written; marks begin with `=`, which no word does: the author, the language,
-- and the times it was posted in, 3 days (fine, 2^44 of the ids) and 99 days (coarse, 2^49) long. A search goes through these times, the newest first,
-- so that a word that very many statuses have costs no more than one that some have.
-- Not inlined, and dear: it is to be looked up in the index, not computed for each row.
create function status_search_vector(
  id bigint, account_id bigint, text text, content text, spoiler_text text, language text, sensitive boolean, in_reply_to_id bigint,
  media_attachment_ids bigint[], visibility visibility
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
    );
end
$$;

-- The list of what is not yet sorted in is kept short, because every search reads it.
create index statuses_search on statuses using gin (
  status_search_vector(
    id, account_id, text, content, spoiler_text, language, sensitive, in_reply_to_id, media_attachment_ids, visibility
  )
) with (gin_pending_list_limit = 128) where deleted_at is null and reblog_of_id is null;

-- What a status has that its own row does not tell: kinds of its attachments, and a poll.
create function kinds_of_status(status bigint, attachments bigint[]) returns text[]
language plpgsql stable as $$
begin
  return array(
    select case when m.type = 'gifv' then 'video' else m.type end from media_attachments m where m.id = any (attachments)
    union
    select 'poll' from polls p where p.status_id = status
  );
end
$$;
