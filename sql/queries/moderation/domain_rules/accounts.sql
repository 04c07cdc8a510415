-- accounts: the accounts of a domain and, optionally, of its subdomains.
-- $1 domain text
-- $2 below boolean
-- rows: one an account, in order
-- plan: no sequential scan
select a.id
from accounts a
where a.domain is not null
  and (
    reverse(a.domain) = reverse($1)
    or ($2::boolean and reverse(a.domain) ~>=~ reverse('.' || $1) and reverse(a.domain) ~<~ reverse('/' || $1))
  )
order by a.id
