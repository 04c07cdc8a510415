-- backlog: how many activities wait, and the hosts of which more wait than are taken.
-- $1 maximum integer
-- rows: one
-- plan: all activities that wait
with waiting as materialized (
  select r.host, count(*) as amount from received_activities r group by r.host
)
select
  coalesce((select sum(w.amount) from waiting w), 0)::integer as amount,
  array(select w.host from waiting w where w.amount >= $1::integer) as full_hosts
