-- delete_old_tag_days: removes the counts of hashtags that are older than this and no longer shown.
-- $1 days integer
-- rows: none
-- plan: no sequential scan of statuses
delete from tag_days d where d.day <= (now() at time zone 'UTC')::date - $1::integer
