-- by_uri: the accounts whose identifiers are URLs of a host, whatever the domain of their handles.
-- $1 host text
-- $2 below boolean
-- rows: one an account, in order
-- plan: reads every remote account: an operator's command
select a.id
from accounts a
where a.domain is not null
  and (
    starts_with(a.uri, 'https://' || $1 || '/')
    or ($2::boolean and split_part(a.uri, '/', 3) like '%.' || $1)
  )
order by a.id
