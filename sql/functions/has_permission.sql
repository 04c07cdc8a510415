-- Whether a mask of permissions contains one, by its name; an administrator has all. The planner
-- replaces the call by a constant.
create or replace function has_permission(permissions bigint, name text) returns boolean
language sql immutable parallel safe
return (has_permission.permissions & (permission(has_permission.name) | permission('administrator'))) <> 0;
