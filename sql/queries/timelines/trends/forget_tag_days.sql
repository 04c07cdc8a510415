-- forget_tag_days: counts of hashtags that are older than this are not shown any more.
-- $1 days integer
-- rows: none
-- plan: no sequential scan of statuses
delete from tag_days d where d.day <= (now() at time zone 'UTC')::date - $1::integer
