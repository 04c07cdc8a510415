-- withholding: whether the files of an account are withheld from everybody who knows their keys,
-- and the keys of its avatar and header.
-- $1 account bigint
-- rows: none when there is no such account, else one
-- plan: no sequential scan, at most 8 buffers
select
  a.suspended_at is not null as suspended,
  array_remove(
    array[a.avatar ->> 'key', a.avatar ->> 'static_key', a.header ->> 'key', a.header ->> 'static_key'], null
  ) as files
from accounts a
where a.id = $1
