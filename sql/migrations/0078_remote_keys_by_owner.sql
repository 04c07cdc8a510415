-- For the keys that an actor's new document no longer lists. Locks writes to remote_keys while it
-- builds: less than a second for 100,000 keys.
create index remote_keys_owner_idx on remote_keys (owner);
