-- reblogged_by: the accounts that boosted a status publicly, newest first. Omits accounts that are
-- hidden from everybody, that the viewer blocks or mutes, or that block the viewer.
-- $1 viewer bigint
-- $2 status bigint
-- $3 max_id bigint
-- $4 since_id bigint
-- $5 limit integer
-- rows: one a boost
-- plan: no sequential scan
select b.id, b.account_id
from statuses b
join unhidden_accounts($1) a on a.id = b.account_id
where b.reblog_of_id = $2 and b.deleted_at is null and b.visibility in ('public', 'unlisted')
  and ($3::bigint is null or b.id < $3) and ($4::bigint is null or b.id > $4)
  and a.suspended_at is null and not a.pending and a.deletion_requested_at is null
order by b.id desc
limit $5::integer
