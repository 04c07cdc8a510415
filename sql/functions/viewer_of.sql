-- A user with all data that decide on its rights. Permissions are those of its role and the base
-- role (-99) together.
-- state: the first that applies, in the order in which the API reports them.
create or replace function viewer_of(user_id bigint) returns table (
  account_id bigint,
  username text,
  state text,
  suspended boolean,
  missing_factor boolean,
  silenced boolean,
  locked boolean,
  locale text,
  time_zone text,
  chosen_languages text[],
  permissions integer,
  role_position integer,
  preferences jsonb
)
language sql stable rows 1 as $$
  select
    a.id,
    a.username,
    case
      when u.confirmed_at is null then 'unconfirmed'
      when not u.approved then 'pending'
      when u.disabled or a.memorial or a.moved_to_account_id is not null
        or (r.require_2fa and u.otp_enabled_at is null) then 'disabled'
      else 'functional'
    end,
    a.suspended_at is not null or a.deletion_requested_at is not null,
    u.confirmed_at is not null and u.approved and not u.disabled and not a.memorial and a.moved_to_account_id is null
      and r.require_2fa and u.otp_enabled_at is null,
    a.silenced_at is not null,
    a.locked,
    u.locale,
    u.time_zone,
    u.chosen_languages,
    (r.permissions | base.permissions)::integer,
    r.position,
    u.preferences
  from users u
  join accounts a on a.id = u.account_id
  join roles base on base.id = -99
  join roles r on r.id = coalesce(u.role_id, -99)
  where u.id = viewer_of.user_id
$$;
