-- lock_threads: lets only one transaction at a time attach statuses to their parents. Two at once
-- could each attach a status to a descendant of it that the other one does not see yet. It is held
-- for a look-up of each status above the parent.
-- rows: one
-- plan: no sequential scan, at most 4 buffers
with locked as materialized (select pg_advisory_xact_lock(hashtext('attach_to_parent')) as lock)
select count(*)::integer as locks from locked
