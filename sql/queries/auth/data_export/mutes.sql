-- mutes: the accounts that an account mutes, as rows of a CSV file for other servers.
-- $1 account bigint
-- $2 local_domain text
-- $3 after bigint
-- rows: at most 1000
-- plan: no sequential scan
select m.id, array[a.username || '@' || coalesce(a.domain, $2::text), m.hide_notifications::text] as cells
from mutes m
join accounts a on a.id = m.target_account_id
where m.account_id = $1 and m.id > $3 and (m.expires_at is null or m.expires_at > now())
order by m.id
limit 1000
