-- direct: the newest direct statuses by or to the viewer.
-- $1 viewer bigint
-- $2 max_id bigint
-- $3 since_id bigint
-- $4 limit integer
-- rows: ids, newest first
-- plan: no sequential scan
(
  select s.id
  from visible_statuses($1) s
  where s.account_id = $1 and s.visibility = 'direct' and s.id < $2 and s.id > $3
  order by s.id desc
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
  order by m.status_id desc
  limit $4
)
order by id desc
limit $4
