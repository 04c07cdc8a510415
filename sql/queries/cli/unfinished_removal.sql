-- unfinished_removal: how far the last removal of old statuses was when it was interrupted.
-- rows: one, or none when it was finished
-- plan: no sequential scan of statuses
select r.before, r.clean_followed, r.after, r.removed, r.total from status_removals r
