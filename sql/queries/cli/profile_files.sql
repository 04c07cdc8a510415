-- profile_files: the pictures of accounts with an id above the given one, in order. Accounts
-- without pictures are included, so that the last id is the next start.
-- $1 after bigint
-- rows: at most 1000
-- plan: no sequential scan
select
  a.id, a.domain is null as local,
  array_remove(array[a.avatar ->> 'key', nullif(a.avatar ->> 'static_key', a.avatar ->> 'key')], null) as avatar,
  array_remove(array[a.header ->> 'key', nullif(a.header ->> 'static_key', a.header ->> 'key')], null) as header
from accounts a
where a.id > $1
order by a.id
limit 1000
