-- end_removal: deletes the recorded position of a finished removal of old statuses.
-- rows: none
-- plan: no sequential scan of statuses
delete from status_removals r where r.only_one
