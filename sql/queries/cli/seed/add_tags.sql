-- add_tags: hashtags in the order given; existing ones are reused.
-- $1 names text[]
-- $2 display_names text[]
-- $3 last_used text[]
-- rows: one a name
-- plan: rows are inserted, none are read
insert into tags as t (name, display_name, last_status_at)
select given.name, given.display_name, given.last_used
from unnest($1::text[], $2::text[], $3::text[]::timestamptz[]) with ordinality given (name, display_name, last_used, place)
order by given.place
on conflict (name) do update set last_status_at = greatest(t.last_status_at, excluded.last_status_at)
returning t.id, t.name
