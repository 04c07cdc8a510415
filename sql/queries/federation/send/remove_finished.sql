-- remove_finished: deletes outgoing activities whose last attempt is over.
-- rows: none
-- plan: by age
delete from outgoing_activities o where o.created_at < now() - interval '5 days'
