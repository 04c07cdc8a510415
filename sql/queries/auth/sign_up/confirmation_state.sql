-- confirmation_state: the state of a user's confirmation and approval.
-- $1 user bigint
-- rows: none or one
-- plan: no sequential scan, at most 12 buffers
select u.email, u.unconfirmed_email, u.confirmed_at is not null as confirmed, u.approved,
  a.deletion_requested_at is not null as being_deleted, u.created_by_application_id
from users u join accounts a on a.id = u.account_id
where u.id = $1
