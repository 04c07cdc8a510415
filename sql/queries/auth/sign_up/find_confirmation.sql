-- find_confirmation: the user and address of a confirmation link, locked until it is confirmed.
-- Links are valid for two days.
-- $1 token_hash bytea
-- rows: none when the link is unknown or too old
-- plan: no sequential scan, at most 24 buffers
select u.id, u.confirmed_at is not null as confirmed, u.approved, u.unconfirmed_email is not null as changing,
  exists (
    select from users other where lower(other.email) = lower(u.unconfirmed_email) and other.id <> u.id
  ) as taken,
  (select a.name from applications a where a.id = u.created_by_application_id) as application_name,
  (select a.redirect_uris from applications a where a.id = u.created_by_application_id) as redirect_uris
from users u
where u.confirmation_token_hash = $1 and u.confirmation_sent_at > now() - interval '2 days'
for update of u
