-- unfinished_removal: the position of an interrupted removal of old statuses.
-- rows: one, or none when it was finished
-- plan: no sequential scan of statuses
select r.before, r.clean_followed, r.after, r.removed, r.total from status_removals r
