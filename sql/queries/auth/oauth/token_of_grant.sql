-- token_of_grant: the token that was made for a code, if no other code gave the same token: other
-- browsers and devices of the user would lose it. Grants are removed a day after they expire, the
-- later ones last.
-- $1 grant bigint
-- rows: one, or none
-- plan: no sequential scan, at most 16 buffers
select t.id
from oauth_grants g
join oauth_tokens t on t.id = g.token_id and t.created_at >= g.created_at
where g.id = $1
  and not exists (select from oauth_grants o where o.token_id = g.token_id and o.id <> g.id)
