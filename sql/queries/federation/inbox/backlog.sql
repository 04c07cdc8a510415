-- backlog: counts the activities that wait, and finds the hosts with at least a maximum of them.
-- $1 maximum integer
-- rows: one
-- plan: all activities that wait
with waiting as materialized (
  select r.host, count(*) as waiting from received_activities r group by r.host
)
select
  coalesce((select sum(w.waiting) from waiting w), 0)::integer as total,
  array(select w.host from waiting w where w.waiting >= $1::integer) as full_hosts
