-- A status of another server may answer a status that is not stored here. It was treated as one
-- that answers nobody. Adds a column with a constant, which rewrites no row.
alter table statuses add column parent_unknown boolean not null default false;
