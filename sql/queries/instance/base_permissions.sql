-- base_permissions: what everyone may do (api/roles.md, role -99)
-- rows: one
-- plan: one row by key
select r.permissions::integer as permissions from roles r where r.id = -99
