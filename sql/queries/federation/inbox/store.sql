-- store: stores delivered activities for processing (accept_activities), and deletes the recorded
-- delivery failures of the hosts that sent them.
-- $1 hosts text[]
-- $2 actors text[]
-- $3 bodies text[]
-- $4 recipients text[]: empty for none
-- rows: one
-- plan: one call
select true as accepted from (select accept_activities($1, $2, $3, $4)) accepted
