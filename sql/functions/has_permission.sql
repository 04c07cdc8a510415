-- Whether a mask of permissions has one, by its name; an administrator has all. The planner puts the number in its place.
create or replace function has_permission(permissions bigint, name text) returns boolean
language sql immutable parallel safe
return (has_permission.permissions & (permission(has_permission.name) | permission('administrator'))) <> 0;
