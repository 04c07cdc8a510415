-- base_permissions: the permissions of everybody (the base role, -99).
-- rows: one
-- plan: one row by key
select r.permissions::integer as permissions from roles r where r.id = -99
