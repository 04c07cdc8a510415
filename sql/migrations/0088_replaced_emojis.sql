-- When a document of another server last changed the picture of an emoji, because such changes are
-- limited: each drops all caches of statuses and accounts. The column is added without a rewrite of
-- the table; the index is empty, and writes to custom_emojis wait for the moment it takes.
alter table custom_emojis add column replaced_at timestamptz;
create index custom_emojis_replaced on custom_emojis (replaced_at) where replaced_at is not null;
