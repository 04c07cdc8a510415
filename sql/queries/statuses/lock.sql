-- lock: waits for other edits of a status, and lets none begin before the transaction ends. Its
-- later statements read what the others have committed.
-- $1 status bigint
-- rows: none or one
-- plan: no sequential scan, at most 8 buffers
select s.id from statuses s where s.id = $1 for no key update
