-- familiar_followers: who of those whom the viewer follows follows these accounts. Those who hide whom they follow are left out.
-- $1 viewer bigint
-- $2 ids bigint[]
-- rows: one an account that is asked about and may be known, in the order given; follower_ids newest follow first
-- plan: no sequential scan
select a.id, array(
  select f.account_id
  from follows f
  join follows own on own.account_id = $1 and own.target_account_id = f.account_id
  join accounts o on o.id = f.account_id
  where f.target_account_id = a.id and a.hide_collections is not true and o.hide_collections is not true
    and o.suspended_at is null and o.deletion_requested_at is null and not o.pending
  order by f.id desc
) as follower_ids
from unnest((select $2::bigint[])) with ordinality given (id, position)
join accounts a on a.id = given.id
where not a.pending and a.suspended_at is null and a.deletion_requested_at is null
order by given.position
