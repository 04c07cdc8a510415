-- check: whether a username is refused at sign-up, or requires approval.
-- $1 username text
-- rows: one
-- plan: all of a small table
select
  coalesce(bool_or(not b.allow_with_approval), false) as reserved, coalesce(bool_or(b.allow_with_approval), false) as needs_approval
from username_blocks b
where case when b.exact then b.skeleton = username_skeleton($1) else position(b.skeleton in username_skeleton($1)) > 0 end
