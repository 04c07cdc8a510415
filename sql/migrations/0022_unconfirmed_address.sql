-- Somebody who asks for the confirmation mail again may give the address that is not theirs yet.
create index users_unconfirmed_email on users (lower(unconfirmed_email)) where unconfirmed_email is not null;
