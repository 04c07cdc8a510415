-- The URIs of deleted statuses of other servers are kept when the statuses are deleted for good, so
-- that they do not come back when somebody boosts them. The table is locked for a moment.
alter table tombstones add column kept boolean not null default false;
