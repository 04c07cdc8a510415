-- profile_files: the pictures of accounts after an id, in order. Accounts without are among them, so that the last id goes on.
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
