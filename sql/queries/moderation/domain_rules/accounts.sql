-- accounts: the accounts of a domain and, optionally, of its subdomains and other ports.
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
union
select a.id
from accounts a
where $2 and a.domain ~ '[.:][0-9]*$'
  and (
    reverse(regexp_replace(a.domain, '\.*(:[0-9]*)?$', '')) = reverse($1)
    or (
      reverse(regexp_replace(a.domain, '\.*(:[0-9]*)?$', '')) ~>=~ reverse('.' || $1)
      and reverse(regexp_replace(a.domain, '\.*(:[0-9]*)?$', '')) ~<~ reverse('/' || $1)
    )
  )
order by id
