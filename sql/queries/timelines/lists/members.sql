-- members: the accounts on a list of the viewer, highest id first. Omits accounts that are hidden
-- from everybody.
-- $1 viewer bigint
-- $2 list bigint
-- $3 max_id bigint
-- $4 since_id bigint
-- $5 limit integer
-- rows: one a member; limit null: all
-- plan: no sequential scan
select m.account_id as id
from lists l
join list_accounts m on m.list_id = l.id
join accounts a on a.id = m.account_id
where l.id = $2 and l.account_id = $1
  and a.suspended_at is null and a.deletion_requested_at is null and not a.pending
  and ($3::bigint is null or m.account_id < $3)
  and ($4::bigint is null or m.account_id > $4)
order by m.account_id desc
limit $5::integer
