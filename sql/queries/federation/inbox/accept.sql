-- accept: stores activities that were delivered, for their processing (accept_activities).
-- Deliveries to servers that deliver are tried again.
-- $1 hosts text[]
-- $2 actors text[]
-- $3 bodies text[]
-- $4 recipients text[]: empty for none
-- rows: one
-- plan: one call
select true as accepted from (select accept_activities($1, $2, $3, $4)) accepted
