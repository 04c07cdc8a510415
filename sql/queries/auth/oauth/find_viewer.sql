-- find_viewer: a user with all data that decide on its rights.
-- $1 user bigint
-- rows: none or one
-- plan: no sequential scan, at most 16 buffers
select
  u.account_id,
  u.username,
  u.state,
  u.suspended,
  u.missing_factor,
  u.silenced,
  u.locked,
  u.locale,
  u.time_zone,
  u.chosen_languages,
  u.permissions,
  u.role_position,
  u.preferences
from viewer_of($1) u
