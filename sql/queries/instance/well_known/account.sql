-- account: the local account with this id, or else with this name, compared without regard to case.
-- gone: it was deleted for good and only its name is reserved.
-- $1 id bigint
-- $2 username text
-- rows: none, also when the user is not confirmed or approved, or one
-- plan: no sequential scan
select a.id, a.username, u.id is null as deleted, a.avatar
from accounts a
left join users u on u.account_id = a.id
where a.domain is null and not a.pending
  and case when $1::bigint is null then lower(a.username) = lower($2::text) else a.id = $1::bigint end
limit 1
