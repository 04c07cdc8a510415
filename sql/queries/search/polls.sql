-- polls: public statuses with a poll by authors who may be found, when neither words nor an author are asked for, newest first.
-- Polls are few beside statuses, so they are gone through until the page is full; what public.sql asks of an index is looked at in each.
-- $1 viewer bigint
-- $2 marks text
-- $3 kinds text[]
-- $4 other_kinds text[]
-- $5 max_id bigint
-- $6 min_id bigint
-- $7 skipped_from bigint[]
-- $8 skipped_to bigint[]
-- $9 limit integer
-- rows: at most $9; parameters as in public.sql
-- plan: no sequential scan
-- Among 500,000 statuses with 12,000 polls: 650 to 1,900 buffers, no more than among a fifth of them.
with asked as materialized (
  select $2::text::tsquery && '''=public'''::tsquery as query
)
select s.id
from asked
cross join (
  select p.status_id as id from polls p where p.status_id < $5 and p.status_id > $6 order by p.status_id desc offset 0
) poll
join lateral (
  select v.id, v.account_id, v.media_attachment_ids
  from shown_statuses($1) v
  where v.id = poll.id and v.reblog_of_id is null and v.visibility = 'public'
    and status_search_vector(
      v.id, v.account_id, v.text, v.content, v.spoiler_text, v.language, v.sensitive, v.in_reply_to_id, v.media_attachment_ids,
      v.visibility
    ) @@ asked.query
) s on true
join lateral (select a.id from accounts a where a.id = s.account_id and a.indexable offset 0) author on true
where not exists (
    select from unnest($7::bigint[], $8::bigint[]) skipped (low, high) where s.id >= skipped.low and s.id < skipped.high
  )
  and kinds_of_status(s.id, s.media_attachment_ids) @> $3::text[]
  and not kinds_of_status(s.id, s.media_attachment_ids) && $4::text[]
order by poll.id desc
limit $9::integer
