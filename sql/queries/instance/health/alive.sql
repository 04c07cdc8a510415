-- alive: succeeds while the database is available.
-- rows: one
-- plan: no sequential scan, at most 1 buffers
select true as alive
