-- decide_publisher: stores a moderator's decision whether the links of a host may trend, and
-- records it in the audit log if $4.
-- $1 moderator bigint
-- $2 id bigint
-- $3 trendable boolean
-- $4 is_logged boolean
-- rows: none when there is no such host
-- plan: no sequential scan
with decided as (
  update link_publishers p set trendable = $3, reviewed_at = now() where p.id = $2 returning p.id, p.domain as name
), recorded as materialized (
  select log_action($1::bigint, case when $3 then 'allow_trends' else 'forbid_trends' end, 'LinkPublisher', decided.id, decided.name)
  from decided where $4
), logged as (
  insert into events (kind, actor_id) select 'trends.changed', $1 from decided returning event_json(events) as event
)
select decided.id, (select count(*) from recorded) as recorded, (select jsonb_agg(logged.event) from logged) as events
from decided
