-- library: statuses that the viewer finds by words and marks among those that the viewer wrote, is mentioned in, favourited, boosted,
-- bookmarked or voted in, newest first. They are looked at one after the other until the page is full: the cost grows with the library, not with the statuses there are.
-- $1 viewer bigint
-- $2 words text
-- $3 marks text
-- $4 max_id bigint
-- $5 min_id bigint
-- $6 skipped_from bigint[]
-- $7 skipped_to bigint[]
-- $8 limit integer
-- rows: at most $8; parameters as in public.sql
-- plan: no sequential scan
with asked as materialized (
  select websearch_to_tsquery('simple', $2::text) as words, $3::text::tsquery as marks
), library as materialized (
  select s.id from statuses s where s.account_id = $1 and s.deleted_at is null and s.reblog_of_id is null
  union
  select m.status_id from mentions m where m.account_id = $1
  union
  select f.status_id from favourites f where f.account_id = $1
  union
  select b.status_id from bookmarks b where b.account_id = $1
  union
  select r.reblog_of_id from statuses r where r.account_id = $1 and r.deleted_at is null and r.reblog_of_id is not null
  union
  select p.status_id from poll_votes v join polls p on p.id = v.poll_id where v.account_id = $1
)
select s.id
from asked
cross join (select library.id from library where library.id < $4 and library.id > $5 order by library.id desc offset 0) own
join lateral (
  select
    v.id,
    status_search_vector(
      v.id, v.account_id, v.text, v.content, v.spoiler_text, v.language, v.sensitive, v.in_reply_to_id, v.media_attachment_ids,
      v.visibility, v.kinds
    ) as vector
  from shown_statuses($1) v
  where v.id = own.id
) s on true
where ($2 = '' or numnode(asked.words) > 0)
  and (numnode(asked.words && asked.marks) = 0 or s.vector @@ (asked.words && asked.marks))
  and not exists (
    select from unnest($6::bigint[], $7::bigint[]) skipped (low, high) where s.id >= skipped.low and s.id < skipped.high
  )
order by own.id desc
limit $8::integer
