-- remove_keys: deletes the key pairs of accounts that were deleted so long ago that the last
-- attempt to deliver their Delete is over.
-- rows: none
-- plan: the stored keys, accounts by key
delete from signing_keys k
using accounts a
where a.id = k.account_id and a.deletion_requested_at is not null and a.updated_at < now() - interval '5 days'
  and not exists (select from users u where u.account_id = a.id)
