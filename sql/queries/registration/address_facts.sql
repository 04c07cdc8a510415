-- address_facts: whether somebody else has an address already, and whether it is a suspended person's in another spelling.
-- $1 user bigint
-- $2 email text
-- rows: one
-- plan: no sequential scan, at most 40 buffers
select
  exists (select from users u where lower(u.email) = lower($2::text) and u.id <> $1) as taken,
  exists (
    select
    from users u
    join accounts a on a.id = u.account_id
    where canonical_email(u.email) = canonical_email($2) and a.suspended_at is not null and u.id <> $1
  ) as blocked
