-- is_relevant_parent: whether replies to a status are relevant: its author is a local account or
-- has local followers.
-- $1 parent bigint
-- rows: none or one
-- plan: no sequential scan
select
  o.domain is null
  or exists (select from follows f join accounts a on a.id = f.account_id where f.target_account_id = o.id and a.domain is null)
  as relevant
from statuses p
join accounts o on o.id = p.account_id
where p.id = $1
