-- add_tags: stores hashtags at their first use. The first spelling becomes the display name.
-- $1 names text[]
-- $2 display_names text[]
-- rows: one a name
-- plan: rows are inserted, none are read
insert into tags as t (name, display_name)
select given.name, given.display_name from unnest((select $1::text[]), (select $2::text[])) given (name, display_name) order by given.name
on conflict (name) do update set name = excluded.name
returning t.id, t.name
