-- account_key: the key with this id that the last document of a known account of another server
-- listed, unless an Update has replaced it. The id of a key begins with the URI of its actor, as in
-- `URI#main-key`, `URI/#main-key` and `URI/main-key`.
-- $1 key_id text
-- rows: none or one
-- plan: no sequential scan
select a.uri as owner, a.public_key, a.username || '@' || a.domain as handle
from accounts a
where a.uri in (split_part($1, '#', 1), rtrim(split_part($1, '#', 1), '/'), regexp_replace($1, '/[^/]*$', ''))
  and a.uri <> '' and a.domain is not null and a.key_id = $1 and a.public_key <> ''
  and not exists (
    select from replaced_keys r
    where r.owner = a.uri and r.public_key = a.public_key and r.replaced_at > now() - interval '1 day'
  )
