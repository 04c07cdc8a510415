-- decide_tag: stores a moderator's decision whether a hashtag may trend.
-- $1 id bigint
-- $2 trendable boolean
-- rows: none when there is no such hashtag
-- plan: no sequential scan
with decided as (
  update tags t set trendable = $2, reviewed_at = now() where t.id = $1 returning t.id
), logged as (
  insert into events (kind) select 'trends.changed' from decided returning event_json(events) as event
)
select decided.id, (select jsonb_agg(logged.event) from logged) as events from decided
