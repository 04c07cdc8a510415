-- end_removal: a removal of old statuses is finished.
-- rows: none
-- plan: no sequential scan of statuses
delete from status_removals r where r.only_one
