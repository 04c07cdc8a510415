-- decide_link: stores a moderator's decision whether a link may trend.
-- $1 id bigint
-- $2 trendable boolean
-- rows: none when there is no such link
-- plan: no sequential scan
with decided as (
  update preview_cards p set trendable = $2 where p.id = $1 returning p.id
), logged as (
  insert into events (kind) select 'trends.changed' from decided returning event_json(events) as event
)
select decided.id, (select jsonb_agg(logged.event) from logged) as events from decided
