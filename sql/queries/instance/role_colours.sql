-- role_colours: the colours of roles that profiles show.
-- rows: one a role that has a colour
-- plan: all of a small table
select r.id, r.color from roles r where r.highlighted and r.color ~ '^#[0-9a-fA-F]{3,8}$' order by r.id
