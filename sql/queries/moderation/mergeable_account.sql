-- mergeable_account: an account of another server by its handle, with its public key.
-- $1 username text
-- $2 domain text
-- rows: none or one
-- plan: no sequential scan
select a.id, a.public_key, array_remove(array[a.avatar ->> 'key', a.avatar ->> 'static_key', a.header ->> 'key', a.header ->> 'static_key'], null) as files
from accounts a
where lower(a.username) = lower($1) and lower(coalesce(a.domain, '')) = lower($2) and a.domain is not null
