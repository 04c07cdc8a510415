-- address_facts: whether another user has this address.
-- $1 user bigint
-- $2 email text
-- rows: one
-- plan: no sequential scan, at most 20 buffers
select exists (select from users u where lower(u.email) = lower($2::text) and u.id <> $1) as taken
