-- library: statuses by words and marks from the viewer's library: those that the viewer wrote, is
-- mentioned in, favourited, boosted, bookmarked or voted in, newest first.
-- Rare words are found by the index, and the results then checked against the library: the index is
-- used when hardly any statuses of the latest time range but one (see public.sql) have the words,
-- and abandoned at 300 results, or at 3,000 for a library of more than 2,000. Otherwise the library
-- is read from its newest end until the page is full, a large one by time ranges: at most all of
-- it, however many other statuses there are. What the viewer wrote, most of a library, comes from
-- the index even then, up to 300 results: hardly any of these statuses have the words, and reading
-- all of them from disk took most of the time.
-- Visibility is checked last, because it costs as much as ten texts.
-- Building the vector of a status takes ten times as long as searching its text for the words, so
-- the text is searched first: every lexeme of a text is a substring of it in lower case without
-- accents (except for the sigma, which is another letter at the end of a word). search_words takes
-- letters from a text only where they are side by side.
-- Parameters that affect the plan are written as `(select …)`, so that one plan is kept.
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
-- A library of 57,000 statuses among a million: a word in 2 of a thousand 20 to 70 ms, one in a
-- quarter of all 10 to 20 ms, one in none 3 ms, media 15 to 40 ms. Of 900: 1 to 30 ms. Words joined
-- by `or` that few of the library have cost most: all its vectors are built.
with input as materialized (
  select
    words,
    case when $4::text = '' then words else words && $4::text::tsquery end as query,
    array(
      select '%' || regexp_replace(replace(lexeme, 'ς', 'σ'), '([\\%_])', '\\\1', 'g') || '%'
      from unnest((select $3::text[])) phrase
      cross join unnest(tsvector_to_array(to_tsvector('simple', unaccented_words(phrase)))) lexeme
    ) as patterns,
    (select '=fine:' || (max(r.id) >> 44) - 1 from statuses r) as recently
  from search_query($2::text) words
), plan as materialized (
  select large, case when large then 33 else 1 end as lately, case when large then 3001 else 301 end as maximum
  from (
    select count(*) > 2000 as large
    from (
      (select from statuses s where s.account_id = (select $1::bigint) and s.deleted_at is null limit 2001)
      union all
      (select from favourites f where f.account_id = (select $1::bigint) limit 2001)
      union all
      (select from mentions m where m.account_id = (select $1::bigint) limit 2001)
    ) part
  ) size
), frequent as materialized (
  select input.patterns = '{}' or (
    select count(*)
    from (
      select
      from statuses h
      where status_search_vector(
        h.id, h.account_id, h.text, h.content, h.spoiler_text, h.language, h.sensitive, h.in_reply_to_id, h.media_attachment_ids,
        h.visibility, h.content_kinds, h.attached_text
      ) @@ (input.query && ('''' || input.recently || '''')::tsquery)
        and h.deleted_at is null and h.reblog_of_id is null
      limit (select plan.lately from plan)
    ) recent
  ) >= (select plan.lately from plan) as so
  from input
), rare as materialized (
  select h.id
  from input
  join statuses h on status_search_vector(
    h.id, h.account_id, h.text, h.content, h.spoiler_text, h.language, h.sensitive, h.in_reply_to_id, h.media_attachment_ids,
    h.visibility, h.content_kinds, h.attached_text
  ) @@ input.query
  where h.deleted_at is null and h.reblog_of_id is null and not (select frequent.so from frequent)
  limit (select plan.maximum from plan)
), few as materialized (
  select not frequent.so and (select count(*) from rare) < (select plan.maximum from plan) as so from frequent
), mine as materialized (
  select h.id
  from input
  join statuses h on status_search_vector(
    h.id, h.account_id, h.text, h.content, h.spoiler_text, h.language, h.sensitive, h.in_reply_to_id, h.media_attachment_ids,
    h.visibility, h.content_kinds, h.attached_text
  ) @@ (input.query && ('''=author:' || (select $1::bigint) || '''')::tsquery)
  where h.deleted_at is null and h.reblog_of_id is null and numnode(input.query) > 0 and not (select few.so from few)
  limit 301
), indexed as materialized (
  select numnode(input.query) > 0 and (select count(*) from mine) < 301 as so from input
), voted as materialized (
  select p.status_id from poll_votes v join polls p on p.id = v.poll_id where v.account_id = (select $1::bigint)
), bounds as materialized (
  select
    least((select $5::bigint), (select max(s.id) from statuses s) + 1) as newest,
    greatest((select $6::bigint), (select min(s.id) from statuses s)) as oldest
), ranges as materialized (
  select fine << 44 as start, (fine + 1) << 44 as finish
  from bounds
  cross join generate_series(greatest(((newest >> 49) - 1) << 5, oldest >> 44), newest >> 44) fine
  where (select plan.large from plan)
  union all
  select coarse << 49, (coarse + 1) << 49
  from bounds
  cross join generate_series(oldest >> 49, (newest >> 49) - 2) coarse
  where (select plan.large from plan)
  union all
  select oldest, newest from bounds where not (select plan.large from plan)
)
select found.id
from (
  (
    select rare.id
    from rare
    join lateral (select v.id from shown_statuses($1) v where v.id = rare.id offset 0) s on true
    where (select few.so from few) and rare.id < (select $5::bigint) and rare.id > (select $6::bigint)
      and not exists (
        select from unnest((select $7::bigint[]), (select $8::bigint[])) skipped (low, high)
        where rare.id >= skipped.low and rare.id < skipped.high
      )
      and (
        exists (select from statuses o where o.id = rare.id and o.account_id = (select $1))
        or exists (select from mentions m where m.status_id = rare.id and m.account_id = (select $1) offset 0)
        or exists (select from favourites f where f.account_id = (select $1) and f.status_id = rare.id offset 0)
        or exists (select from bookmarks b where b.account_id = (select $1) and b.status_id = rare.id offset 0)
        or exists (
          select from statuses r where r.account_id = (select $1) and r.reblog_of_id = rare.id and r.deleted_at is null
        )
        or exists (
          select from polls p join poll_votes v on v.poll_id = p.id where p.status_id = rare.id and v.account_id = (select $1)
        )
      )
    order by rare.id desc
    limit (select $9::integer)
  )
  union all
  (
    select hits.id
    from (select ranges.start, ranges.finish from ranges order by ranges.start desc) stretch
    cross join lateral (
      select own.id
      from input
      cross join (
        select library.id
        from (
          select o.id
          from statuses o
          where o.account_id = (select $1) and o.id >= stretch.start and o.id < stretch.finish
            and o.deleted_at is null and o.reblog_of_id is null and not (select indexed.so from indexed)
          union
          select mine.id
          from mine
          where mine.id >= stretch.start and mine.id < stretch.finish and (select indexed.so from indexed)
          union
          select m.status_id from mentions m where m.account_id = (select $1) and m.status_id >= stretch.start and m.status_id < stretch.finish
          union
          select f.status_id from favourites f where f.account_id = (select $1) and f.status_id >= stretch.start and f.status_id < stretch.finish
          union
          select b.status_id from bookmarks b where b.account_id = (select $1) and b.status_id >= stretch.start and b.status_id < stretch.finish
          union
          select r.reblog_of_id
          from statuses r
          where r.account_id = (select $1) and r.reblog_of_id >= stretch.start and r.reblog_of_id < stretch.finish
            and r.deleted_at is null and r.reblog_of_id is not null
          union
          select v.status_id from voted v where v.status_id >= stretch.start and v.status_id < stretch.finish
        ) library
        where library.id < (select $5) and library.id > (select $6)
          and not exists (
            select from unnest((select $7), (select $8)) skipped (low, high)
            where library.id >= skipped.low and library.id < skipped.high
          )
        order by library.id desc
        offset 0
      ) own
      join lateral (
        select t.*
        from statuses t
        where t.id = own.id and t.deleted_at is null and t.reblog_of_id is null
          and replace(
            lower(unaccented(t.spoiler_text || E'\n\n' || case when t.text = '' then t.content else t.text end || E'\n\n' || t.attached_text)),
            'ς', 'σ'
          )
            like all (input.patterns)
        offset 0
      ) h on numnode(input.query) = 0 or status_search_vector(
        h.id, h.account_id, h.text, h.content, h.spoiler_text, h.language, h.sensitive, h.in_reply_to_id, h.media_attachment_ids,
        h.visibility, h.content_kinds, h.attached_text
      ) @@ input.query
      join lateral (select v.id from shown_statuses($1) v where v.id = h.id offset 0) s on true
      where (select $2 = '') or numnode(input.words) > 0
      order by own.id desc
      limit (select $9)
    ) hits
    where not (select few.so from few)
    order by stretch.start desc, hits.id desc
    limit (select $9)
  )
) found
order by found.id desc
limit (select $9)
