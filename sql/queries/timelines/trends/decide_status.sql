-- decide_status: stores a moderator's decision whether a status may trend.
-- $1 id bigint
-- $2 trendable boolean
-- rows: none when there is no such status
-- plan: no sequential scan
with decided as (
  update statuses s set trendable = $2 where s.id = $1 and s.deleted_at is null returning s.id
), logged as (
  insert into events (kind) select 'trends.changed' from decided returning event_json(events) as event
)
select decided.id, (select jsonb_agg(logged.event) from logged) as events from decided
