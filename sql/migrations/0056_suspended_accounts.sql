--! no transaction
-- Suspended accounts by the time since when they are, so that those whose data are due to go are found.
-- Locks: nobody waits; some seconds for a million accounts. It may be run again when it was cut off.

create index concurrently if not exists accounts_suspended on accounts (suspended_at)
where suspended_at is not null and deletion_requested_at is null and domain is null;
