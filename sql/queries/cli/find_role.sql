-- find_role: a role that can be assigned to users.
-- $1 name text
-- rows: none or one
-- plan: all of a small table
select r.id, r.permissions from roles r where r.name = $1 and r.id <> -99 order by r.id limit 1
