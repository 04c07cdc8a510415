--! no transaction
-- Kept tombstones are no longer in the index by which the others are removed each hour. It is built
-- without locks, within seconds: it holds those of the last six hours.
drop index concurrently if exists tombstones_expiring;
--! then
create index concurrently tombstones_expiring on tombstones (created_at) where not kept;
--! then
drop index concurrently if exists tombstones_by_age;
