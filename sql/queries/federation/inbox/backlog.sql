-- backlog: counts the activities that wait and the bytes of their texts, and finds the hosts that
-- have at least a maximum of either. octet_length does not read texts that are stored apart.
-- $1 maximum integer
-- $2 max_bytes bigint
-- rows: one
-- plan: all activities that wait
with waiting as materialized (
  select r.host, count(*) as waiting, sum(octet_length(r.body)) as bytes from received_activities r group by r.host
)
select
  coalesce((select sum(w.waiting) from waiting w), 0)::integer as total,
  coalesce((select sum(w.bytes) from waiting w), 0)::bigint as total_bytes,
  array(select w.host from waiting w where w.waiting >= $1::integer or w.bytes >= $2::bigint) as full_hosts
