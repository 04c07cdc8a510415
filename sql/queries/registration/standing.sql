-- standing: how far a user has come with the address and the approval.
-- $1 user bigint
-- rows: none or one
-- plan: no sequential scan, at most 8 buffers
select u.email, u.unconfirmed_email, u.confirmed_at is not null as confirmed, u.approved, u.created_by_application_id
from users u
where u.id = $1
