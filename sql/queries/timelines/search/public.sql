-- public: public statuses of indexable authors, by words and marks, newest first.
-- The index is queried for one time range after another until the page is full: short ranges for
-- the last 99 to 198 days, then long ones. Visibility is checked afterwards: the mark `=public` of
-- nearly all statuses takes ten times as long to look up as the rest. `+ 0` prevents the planner
-- from walking all statuses by id instead. Authors are checked before all other conditions, because
-- few may be indexable.
-- Parameters that affect the plan are written as `(select …)`, so that one plan is kept: planning
-- took a third of the time.
-- $1 viewer bigint
-- $2 words text
-- $3 marks text
-- $4 author bigint
-- $5 max_id bigint
-- $6 min_id bigint
-- $7 skipped_from bigint[]
-- $8 skipped_to bigint[]
-- $9 limit integer
-- rows: at most $9. $2 is for search_query, $3 a tsquery; $4, if any, is the author that $3
--   contains; ids are below $5, above $6 and in none of the ranges of $7 and $8
-- plan: no sequential scan
-- Among a million statuses of a year, with the generic plan: a rare word 660 to 1,330 buffers, one
-- in a fifth of all 1,220, a phrase 1,200, no result 540, an author 360 to 950, any kind 540 to
-- 1,660; 2 to 20 ms, but 100 ms for a phrase of two very frequent words, because the vectors of all
-- statuses with both are built. Two frequent terms that hardly ever occur together cost most: 8,500
-- buffers, 180 ms. 400 rows at once: 9,400 buffers, 18 ms.
with input as materialized (
  select words, case when $3::text = '' then words else words && $3::text::tsquery end as query
  from search_query($2::text) words
), bounds as materialized (
  select
    least($5::bigint, (select max(s.id) from statuses s) + 1) as newest,
    greatest($6::bigint, (select min(s.id) from statuses s)) as oldest
  where $4::bigint is null or exists (select from accounts a where a.id = $4 and a.indexable)
), ranges as materialized (
  select '=fine:' || fine as mark, fine << 44 as start, (fine + 1) << 44 as finish
  from bounds
  cross join generate_series(greatest(((newest >> 49) - 1) << 5, oldest >> 44), newest >> 44) fine
  union all
  select '=coarse:' || coarse, coarse << 49, (coarse + 1) << 49
  from bounds
  cross join generate_series(oldest >> 49, (newest >> 49) - 2) coarse
)
select found.id
from (
  select ranges.mark, ranges.start
  from ranges
  where not exists (
    select from unnest((select $7::bigint[]), (select $8::bigint[])) skipped (low, high)
    where ranges.start >= skipped.low and ranges.finish <= skipped.high
  )
  order by ranges.start desc
) stretch
cross join lateral (
  select s.id, hits.place
  from (
    select h.id, h.id + 0 as place, h.account_id
    from input
    join statuses h on status_search_vector(
      h.id, h.account_id, h.text, h.content, h.spoiler_text, h.language, h.sensitive, h.in_reply_to_id, h.media_attachment_ids,
      h.visibility, h.content_kinds, h.attached_text
    ) @@ (input.query && ('''' || stretch.mark || '''')::tsquery)
    where h.deleted_at is null and h.reblog_of_id is null and h.visibility = 'public'
      and ((select $2 = '') or numnode(input.words) > 0)
      and h.id + 0 < (select $5) and h.id + 0 > (select $6)
      and not exists (
        select from unnest((select $7::bigint[]), (select $8::bigint[])) skipped (low, high) where h.id >= skipped.low and h.id < skipped.high
      )
    order by place desc
    offset 0
  ) hits
  join lateral (select a.id from accounts a where a.id = hits.account_id and a.indexable offset 0) author on true
  join lateral (select v.id from shown_statuses($1) v where v.id = hits.id offset 0) s on true
  order by hits.place desc
  limit (select $9::integer)
) found
order by stretch.start desc, found.place desc
limit (select $9)
