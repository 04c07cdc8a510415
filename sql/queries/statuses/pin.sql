-- pin: a status of the account is pinned. A second time violates the constraint, which the API answers with a 422.
-- $1 account bigint
-- $2 status bigint
-- rows: one
insert into status_pins (account_id, status_id) values ($1, $2) returning status_pins.id
