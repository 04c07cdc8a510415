-- replies: a page of the public and unlisted replies to a status: the author's own, or those of
-- others.
-- $1 status bigint
-- $2 author bigint
-- $3 others boolean
-- $4 min_id bigint
-- rows: at most 60, oldest first
-- plan: no sequential scan
select r.id, r.account_id, r.uri
from statuses r
join accounts a on a.id = r.account_id
where r.in_reply_to_id = $1 and (r.account_id <> $2) = $3::boolean and r.id > coalesce($4::bigint, 0) and r.deleted_at is null
  and r.visibility in ('public', 'unlisted') and a.suspended_at is null and a.deletion_requested_at is null and not a.pending
order by r.id
limit 60
