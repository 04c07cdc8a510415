-- library: statuses that the viewer finds by words and marks among those that the viewer wrote, is mentioned in, favourited, boosted,
-- bookmarked or voted in, newest first.
-- What few statuses have is found by the index: it is asked for words that no status of the last stretch of time but one has (see public.sql), and
-- gives up at 300. Else the library is gone through until the page is full: the cost grows with it, not with the statuses there are.
-- To make the vector of a status takes ten times as long as to look for the words in its text, so that this comes first: every lexeme of a text
-- is a part of it in small letters. (But for the sigma, which is another letter at the end of a word.)
-- Parameters that the planner would look at are given as `(select …)`, so that it stays with one plan.
-- $1 viewer bigint
-- $2 words text
-- $3 required text[]
-- $4 marks text
-- $5 max_id bigint
-- $6 min_id bigint
-- $7 skipped_from bigint[]
-- $8 skipped_to bigint[]
-- $9 limit integer
-- rows: at most $9; parameters as in public.sql; $3: the words and phrases of $2 that must be there
-- plan: no sequential scan
-- A library of 900 statuses among a million: 4,200 buffers, 6 ms for a word that 2 of a thousand have, 200 buffers, 0.5 ms for one that none has.
with asked as materialized (
  select
    words,
    case when $4::text = '' then words else words && $4::text::tsquery end as query,
    array(
      select '%' || regexp_replace(replace(lexeme, 'ς', 'σ'), '([\\%_])', '\\\1', 'g') || '%'
      from unnest($3::text[]) phrase
      cross join unnest(tsvector_to_array(to_tsvector('simple', phrase))) lexeme
    ) as patterns,
    (select '=fine:' || (max(r.id) >> 44) - 1 from statuses r) as recently
  from websearch_to_tsquery('simple', $2::text) words
), frequent as materialized (
  select asked.patterns = '{}' or exists (
    select
    from statuses h
    where status_search_vector(
      h.id, h.account_id, h.text, h.content, h.spoiler_text, h.language, h.sensitive, h.in_reply_to_id, h.media_attachment_ids,
      h.visibility, h.kinds
    ) @@ (asked.query && ('''' || asked.recently || '''')::tsquery)
      and h.deleted_at is null and h.reblog_of_id is null
    offset 0
  ) as so
  from asked
), rare as materialized (
  select h.id
  from asked
  join statuses h on status_search_vector(
    h.id, h.account_id, h.text, h.content, h.spoiler_text, h.language, h.sensitive, h.in_reply_to_id, h.media_attachment_ids,
    h.visibility, h.kinds
  ) @@ asked.query
  where h.deleted_at is null and h.reblog_of_id is null and not (select frequent.so from frequent)
  limit 301
), few as materialized (
  select not frequent.so and (select count(*) from rare) < 301 as so from frequent
), library as materialized (
  select s.id from statuses s where s.account_id = (select $1::bigint) and s.deleted_at is null and s.reblog_of_id is null
  union
  select m.status_id from mentions m where m.account_id = (select $1::bigint)
  union
  select f.status_id from favourites f where f.account_id = (select $1::bigint)
  union
  select b.status_id from bookmarks b where b.account_id = (select $1::bigint)
  union
  select r.reblog_of_id from statuses r where r.account_id = (select $1::bigint) and r.deleted_at is null and r.reblog_of_id is not null
  union
  select p.status_id from poll_votes v join polls p on p.id = v.poll_id where v.account_id = (select $1::bigint)
)
select found.id
from (
  select own.id
  from asked
  cross join (
    select library.id
    from library
    where library.id < (select $5::bigint) and library.id > (select $6::bigint)
      and (not (select few.so from few) or library.id in (select rare.id from rare))
      and not exists (
        select from unnest((select $7::bigint[]), (select $8::bigint[])) skipped (low, high)
        where library.id >= skipped.low and library.id < skipped.high
      )
    order by library.id desc
    offset 0
  ) own
  join lateral (
    select t.*
    from statuses t
    where t.id = own.id and t.deleted_at is null and t.reblog_of_id is null
      and replace(lower(t.spoiler_text || E'\n\n' || case when t.text = '' then t.content else t.text end), 'ς', 'σ')
        like all (asked.patterns)
    offset 0
  ) h on numnode(asked.query) = 0 or status_search_vector(
    h.id, h.account_id, h.text, h.content, h.spoiler_text, h.language, h.sensitive, h.in_reply_to_id, h.media_attachment_ids,
    h.visibility, h.kinds
  ) @@ asked.query
  where (select $2 = '') or numnode(asked.words) > 0
  order by own.id desc
  offset 0
) found
join lateral (select v.id from shown_statuses($1) v where v.id = found.id offset 0) s on true
order by found.id desc
limit $9::integer
