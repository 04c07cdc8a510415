-- remove_keyword: removes a keyword from a filter of the viewer; the filter stays, even without
-- keywords.
-- $1 viewer bigint
-- $2 id bigint
-- rows: none when the viewer has no such keyword
-- plan: no sequential scan
with removed as (
  delete from filter_keywords k using filters f
  where k.id = $2 and f.id = k.filter_id and f.account_id = $1
  returning k.id
), logged as (
  insert into events (kind, account_id) select 'filters.changed', $1 from removed
  returning event_json(events) as event
)
select removed.id, (select jsonb_agg(logged.event) from logged) as events from removed
