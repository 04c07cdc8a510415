-- lock: a role that is to be changed.
-- $1 role bigint
-- rows: none or one
-- plan: one row by key
select r.id, r.position, r.permissions, r.require_2fa from roles r where r.id = $1 for update
