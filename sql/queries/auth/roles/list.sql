-- list: every role with the number of its users; the base role, which everybody has, comes first.
-- rows: all
-- plan: all of a small table, and the members of each by index
select
  r.id, r.name, r.color, r.position, r.permissions, r.highlighted, r.require_2fa, r.collection_limit,
  (select count(*) from users u where u.role_id = r.id)::integer as members
from roles r
order by r.position, r.id
