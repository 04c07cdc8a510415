-- record_of: what moderators have about an account of another server. The suspensions and limits of
-- a rule about its domain are not about the account: an account that comes back gets them again.
-- $1 account bigint
-- rows: none when there is no such account; recorded: whether it is suspended, limited or marked
--   as sensitive here, or has open reports or strikes; suspended: whether it is suspended here
-- plan: no sequential scan
select
  own.suspended,
  own.suspended
    or a.sensitized_at is not null
    or (
      a.silenced_at is not null
      and not exists (select from domain_blocks b where b.severity = 'silence' and b.created_at = a.silenced_at)
    )
    or exists (select from reports r where r.target_account_id = a.id and r.action_taken_at is null)
    or exists (select from account_warnings w where w.target_account_id = a.id) as recorded
from accounts a
cross join lateral (
  select a.suspended_at is not null and a.suspension_origin = 'local'
    and not exists (select from domain_blocks b where b.severity = 'suspend' and b.created_at = a.suspended_at) as suspended
) own
where a.id = $1 and a.domain is not null
