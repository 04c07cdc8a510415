-- lists_with: the viewer's lists that contain an account.
-- $1 viewer bigint
-- $2 account bigint
-- rows: one a list, by id
-- plan: no sequential scan
select l.id, l.title, l.replies_policy, l.exclusive
from lists l
join list_accounts m on m.list_id = l.id
where l.account_id = $1 and m.account_id = $2
order by l.id
