-- tag: the hashtag that a collection is about; it is stored with its first use.
-- $1 name text
-- $2 display_name text
-- rows: one; usable: whether staff lets it be used
-- plan: no sequential scan
insert into tags as t (name, display_name) values ($1, $2)
on conflict (name) do update set name = excluded.name
returning t.id, t.usable
