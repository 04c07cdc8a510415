-- delete_old_link_days: removes the counts of links that are older than this and no longer shown.
-- $1 days integer
-- rows: none
-- plan: no sequential scan of statuses
delete from link_days d where d.day <= (now() at time zone 'UTC')::date - $1::integer
