-- last_read: the id up to which the viewer has read its notifications.
-- $1 viewer bigint
-- rows: none without a marker, else one
-- plan: no sequential scan
select m.last_read_id as id from markers m where m.account_id = $1 and m.timeline = 'notifications'
