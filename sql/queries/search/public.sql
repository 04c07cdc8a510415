-- public: public statuses of authors who may be found, by words and marks, newest first.
-- The index is asked for one stretch of time after the other until the page is full: short ones of the last 99 to 198 days, then long ones.
-- `+ 0` keeps the planner from walking all statuses by id instead. Authors are looked at before all else that is asked of a status, because
-- few may be found.
-- $1 viewer bigint
-- $2 words text
-- $3 marks text
-- $4 kinds text[]
-- $5 other_kinds text[]
-- $6 max_id bigint
-- $7 min_id bigint
-- $8 skipped_from bigint[]
-- $9 skipped_to bigint[]
-- $10 limit integer
-- rows: at most $10. $2 is for websearch_to_tsquery, $3 a tsquery; $4 are kinds (kinds_of_status) that it must have, $5 that it
--   must not; ids are below $6, above $7 and in none of the ranges of $8 and $9
-- plan: no sequential scan
-- Among 300,000 statuses of a year, whatever the plan cache does: 500 to 4,200 buffers, of a word in a quarter of all 740.
with asked as materialized (
  select words, words && ($3::text::tsquery && '''=public'''::tsquery) as query
  from websearch_to_tsquery('simple', $2::text) words
), bounds as materialized (
  select
    least($6::bigint, (select max(s.id) from statuses s) + 1) as newest,
    greatest($7::bigint, (select min(s.id) from statuses s)) as oldest
), stretches as materialized (
  select '=fine:' || fine as mark, fine << 44 as start
  from bounds
  cross join generate_series(greatest(((newest >> 49) - 1) << 5, oldest >> 44), newest >> 44) fine
  union all
  select '=coarse:' || coarse, coarse << 49
  from bounds
  cross join generate_series(oldest >> 49, (newest >> 49) - 2) coarse
)
select found.id
from (select stretches.mark, stretches.start from stretches order by stretches.start desc) stretch
cross join lateral (
  select s.id, hits.place
  from (
    select h.id, h.id + 0 as place, h.account_id
    from asked
    join statuses h on status_search_vector(
      h.id, h.account_id, h.text, h.content, h.spoiler_text, h.language, h.sensitive, h.in_reply_to_id, h.media_attachment_ids,
      h.visibility
    ) @@ (asked.query && ('''' || stretch.mark || '''')::tsquery)
    where h.deleted_at is null and h.reblog_of_id is null
      and ($2 = '' or numnode(asked.words) > 0)
      and h.id + 0 < $6 and h.id + 0 > $7
      and not exists (
        select from unnest($8::bigint[], $9::bigint[]) skipped (low, high) where h.id >= skipped.low and h.id < skipped.high
      )
    order by place desc
    offset 0
  ) hits
  join lateral (select a.id from accounts a where a.id = hits.account_id and a.indexable offset 0) author on true
  join lateral (
    select v.id, v.media_attachment_ids from shown_statuses($1) v where v.id = hits.id offset 0
  ) s on true
  where cardinality($4::text[]) + cardinality($5::text[]) = 0
    or (kinds_of_status(s.id, s.media_attachment_ids) @> $4 and not kinds_of_status(s.id, s.media_attachment_ids) && $5)
  order by hits.place desc
  limit $10::integer
) found
order by stretch.start desc, found.place desc
limit $10
