-- create: a new filter of the viewer with its keywords, in the order given.
-- $1 viewer bigint
-- $2 title text
-- $3 contexts text[]
-- $4 action text
-- $5 expires_in integer
-- $6 keywords jsonb
-- rows: one; $5 is in seconds, null is never; $6 is [{keyword, whole_word}], where null is a whole
--   word
-- plan: no sequential scan
with created as (
  insert into filters (account_id, title, contexts, action, expires_at)
  values ($1, $2, $3, $4, now() + make_interval(secs => $5::integer))
  returning filters.id, filters.title, filters.contexts, filters.action, filters.expires_at
), added as (
  insert into filter_keywords (filter_id, keyword, whole_word)
  select created.id, given.keyword, coalesce(given.whole_word, true)
  from created
  cross join rows from (jsonb_to_recordset($6::jsonb) as (keyword text, whole_word boolean))
    with ordinality as given (keyword, whole_word, place)
  order by given.place
  returning filter_keywords.id, filter_keywords.keyword, filter_keywords.whole_word
), logged as (
  insert into events (kind, account_id) select 'filters.changed', $1 from created
  returning event_json(events) as event
)
select
  created.id, created.title, created.contexts, created.action, created.expires_at,
  coalesce(
    (
      select jsonb_agg(
        jsonb_build_object('id', k.id::text, 'keyword', k.keyword, 'whole_word', k.whole_word) order by k.id
      )
      from added k
    ),
    '[]'
  ) as keywords,
  '[]'::jsonb as statuses,
  (select jsonb_agg(logged.event) from logged) as events
from created
