-- When a user was last shown the terms of service; those published later are shown to them before
-- the pages of their account. Terms from before this version are not shown again. It takes the
-- exclusive lock of users for an instant: the default is stored once, no row is written.
alter table users add column terms_seen_at timestamptz not null default now();
