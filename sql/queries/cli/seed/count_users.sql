-- count_users: the number of seeded users and of real ones. Seeded users have an address in a
-- domain that cannot exist (RFC 2606).
-- rows: one
-- plan: a sequential scan of users: before seeding
select
  count(*) filter (where u.email like '%seed.example')::integer as seeded,
  count(*) filter (where u.email not like '%seed.example')::integer as others
from users u
