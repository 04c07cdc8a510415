-- Announcements that are published at a time of their own, and the emoji that stands for a category.
-- Locks: announcements and custom_emojis, small tables both, for an instant each; the index is built while emojis cannot be written.

alter table announcements add column scheduled_at timestamptz;   -- when it is published by itself; null: not

alter table custom_emojis add column featured boolean not null default false;   -- stands for its category

create unique index custom_emojis_featured on custom_emojis (coalesce(domain, ''), category) where featured;
