-- direct_above: the oldest direct statuses by or to the viewer, above an id.
-- $1 viewer bigint
-- $2 max_id bigint
-- $3 min_id bigint
-- $4 limit integer
-- rows: ids, oldest first
-- plan: no sequential scan
(
  select s.id
  from visible_statuses($1) s
  where s.account_id = $1 and s.visibility = 'direct' and s.id < $2 and s.id > $3
  order by s.id
  limit $4::integer
)
union all
(
  select s.id
  from mentions m
  join visible_statuses($1) s on s.id = m.status_id
  join wanted_accounts($1) a on a.id = s.account_id
  where m.account_id = $1 and s.account_id <> $1 and s.visibility = 'direct'
    and m.status_id < $2 and m.status_id > $3
  order by m.status_id
  limit $4
)
order by id
limit $4
