-- follows: the accounts that an account follows, as rows of a CSV file for other servers.
-- $1 account bigint
-- $2 local_domain text
-- $3 after bigint
-- rows: at most 1000
-- plan: no sequential scan
select
  f.id,
  array[
    a.username || '@' || coalesce(a.domain, $2::text), f.show_reblogs::text, f.notify::text, coalesce(array_to_string(f.languages, ', '), '')
  ] as cells
from follows f
join accounts a on a.id = f.target_account_id
where f.account_id = $1 and f.id > $3
order by f.id
limit 1000
