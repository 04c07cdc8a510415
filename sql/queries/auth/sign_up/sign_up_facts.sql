-- sign_up_facts: the facts about a name, an address and an invite that a sign-up depends on. An
-- invite is valid while it has not expired, has uses left, and its creator may act; bypasses: users
-- that the creator invites need no approval (permission invite_bypass_approval).
-- $1 username text
-- $2 email text
-- $3 invite text
-- rows: one
-- plan: no sequential scan
select
  exists (
    select from accounts a where lower(a.username) = lower($1::text) and lower(coalesce(a.domain, '')) = ''
  ) as username_taken,
  exists (select from users u where lower(u.email) = lower($2::text)) as email_taken,
  good.id as invite_id,
  coalesce(good.bypasses, false) as invite_bypasses
from (values (1)) one
left join lateral (
  select i.id, has_permission(coalesce(r.permissions, 0) | base.permissions, 'invite_bypass_approval') as bypasses
  from invites i
  join users u on u.id = i.user_id and u.confirmed_at is not null and u.approved and not u.disabled
  join accounts a on a.id = u.account_id
    and a.suspended_at is null and a.deletion_requested_at is null and not a.memorial and a.moved_to_account_id is null
  join roles base on base.id = -99
  left join roles r on r.id = u.role_id
  where i.code = $3::text and (i.expires_at is null or i.expires_at > now())
    and (i.max_uses is null or i.uses < i.max_uses)
) good on true
