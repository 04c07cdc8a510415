-- instance_accounts: the accounts of a domain, most followers known here first.
-- $1 domain text
-- $2 limit bigint
-- rows: at most $2; null: all; total: how many accounts the domain has
-- plan: no sequential scan; the accounts of one domain by index
select a.username, coalesce(s.followers_count, 0) as followers, count(*) over () as total
from accounts a
left join account_stats s on s.account_id = a.id
where a.domain is not null and reverse(a.domain) = reverse($1::text)
order by 2 desc, a.username
limit $2::bigint
