-- alive: answers when the database does
-- rows: one
-- plan: no sequential scan, at most 1 buffers
select true as alive
