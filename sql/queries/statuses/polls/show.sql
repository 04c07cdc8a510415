-- show: a poll whose status the viewer may see, with the viewer's own votes.
-- $1 viewer bigint
-- $2 poll bigint
-- rows: none or one
-- plan: no sequential scan
select
  poll_json(p, a.domain) as poll,
  not s.local as is_remote,
  s.account_id is not distinct from $1 as is_author,
  array(select v.choice from poll_votes v where v.poll_id = p.id and v.account_id = $1 order by v.choice) as choices,
  exists (
    select from blocks b
    where (b.account_id = $1 and b.target_account_id = s.account_id) or (b.account_id = s.account_id and b.target_account_id = $1)
  ) as blocked
from polls p
join visible_statuses($1) s on s.id = p.status_id
join accounts a on a.id = s.account_id
where p.id = $2
