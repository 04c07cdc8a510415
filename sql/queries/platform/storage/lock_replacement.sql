-- lock_replacement: lets only one transaction at a time replace the files of a thing, also of one
-- that has no row yet. Later statements see the files of those who came first.
-- $1 kind text
-- $2 name text
-- rows: one
-- plan: no sequential scan, at most 4 buffers
with locked as materialized (select pg_advisory_xact_lock(hashtext($1), hashtext($2)) as lock)
select count(*)::integer as locks from locked
