-- add_keyword: adds a keyword to a filter of the viewer.
-- $1 viewer bigint
-- $2 filter bigint
-- $3 keyword text
-- $4 whole_word boolean
-- rows: none when the viewer has no such filter
-- plan: no sequential scan
with added as (
  insert into filter_keywords (filter_id, keyword, whole_word)
  select f.id, $3, $4 from filters f where f.id = $2 and f.account_id = $1
  returning filter_keywords.id, filter_keywords.keyword, filter_keywords.whole_word
), logged as (
  insert into events (kind, account_id) select 'filters.changed', $1 from added
  returning event_json(events) as event
)
select added.id, added.keyword, added.whole_word, (select jsonb_agg(logged.event) from logged) as events from added
