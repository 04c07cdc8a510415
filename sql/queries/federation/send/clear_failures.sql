-- clear_failures: deletes the recorded failures of a server.
-- $1 host text
-- rows: none
-- plan: no sequential scan
delete from delivery_hosts h where h.host = $1
