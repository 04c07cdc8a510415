-- decide_link: a moderator lets a link trend, or not.
-- $1 id bigint
-- $2 trendable boolean
-- rows: none when there is no such one
-- plan: no sequential scan
with decided as (
  update preview_cards p set trendable = $2 where p.id = $1 returning p.id
), logged as (
  insert into events (kind) select 'trends.changed' from decided returning event_json(events) as event
)
select decided.id, (select jsonb_agg(logged.event) from logged) as events from decided
