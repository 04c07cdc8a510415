-- favourited_by: the accounts that favourited a status, newest first. Omits accounts that are
-- hidden from everybody, that the viewer blocks or mutes, or that block the viewer.
-- $1 viewer bigint
-- $2 status bigint
-- $3 max_id bigint
-- $4 since_id bigint
-- $5 limit integer
-- rows: one a favourite; id is the favourite's
-- plan: no sequential scan
select f.id, f.account_id
from favourites f
join unhidden_accounts($1) a on a.id = f.account_id
where f.status_id = $2 and ($3::bigint is null or f.id < $3) and ($4::bigint is null or f.id > $4)
  and a.suspended_at is null and not a.pending and a.deletion_requested_at is null
order by f.id desc
limit $5::integer
