-- decide_account: stores a moderator's decision whether the statuses of an account may trend.
-- $1 id bigint
-- $2 trendable boolean
-- rows: none when there is no such account
-- plan: no sequential scan
with decided as (
  update accounts a set trendable = $2, reviewed_at = now() where a.id = $1 returning a.id
), logged as (
  insert into events (kind) select 'trends.changed' from decided returning event_json(events) as event
)
select decided.id, (select jsonb_agg(logged.event) from logged) as events from decided
