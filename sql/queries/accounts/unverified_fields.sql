-- unverified_fields: the profile fields of a local account that are not verified.
-- $1 account bigint
-- rows: one while the account exists and is not suspended
-- plan: one row by key
select
  a.username,
  array(select f ->> 'value' from jsonb_array_elements(a.fields) f where f ->> 'verified_at' is null) as values
from accounts a
where a.id = $1 and a.domain is null and a.suspended_at is null
