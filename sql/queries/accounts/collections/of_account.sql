-- of_account: the collections that an account curates, newest first; only the account itself sees
-- those that are not discoverable.
-- $1 viewer bigint
-- $2 account bigint
-- $3 limit integer
-- $4 offset integer
-- rows: one a collection; none when the account blocks the viewer
-- plan: no sequential scan
select c.id
from visible_collections($1) c
where c.account_id = $2 and (c.discoverable or c.account_id = $1)
order by c.id desc
limit $3::integer offset $4::integer
