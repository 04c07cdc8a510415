-- tag: the hashtag of a collection; stored at its first use.
-- $1 name text
-- $2 display_name text
-- rows: one; usable: whether moderators allow it
-- plan: no sequential scan
insert into tags as t (name, display_name) values ($1, $2)
on conflict (name) do update set name = excluded.name
returning t.id, t.usable
