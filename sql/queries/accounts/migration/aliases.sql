-- aliases: the other accounts of the person behind an account.
-- $1 account bigint
-- rows: one an alias, in the order in which they were added
-- plan: no sequential scan
select x.id, o.username, o.domain
from account_aliases x
join accounts o on o.id = x.alias_account_id
where x.account_id = $1
order by x.id
