-- count_followers: the number of local accounts that follow an account.
-- $1 target bigint
-- rows: one
-- plan: the followers by index: rare, when the staff ends all follows of somebody
select count(*)::integer as number
from follows f
join accounts a on a.id = f.account_id
where f.target_account_id = $1 and a.domain is null
