--! no transaction
-- The deletion of an account read all statuses several times: the index of its statuses left out
-- the deleted ones, so that neither the statement nor the foreign key could use it. The new one has
-- all, and is built beside the old one, which is used meanwhile. Other foreign keys had none. Locks
-- neither readers nor writers; a million statuses take some seconds.
drop index concurrently if exists statuses_of_account;
--! then
create index concurrently statuses_of_account on statuses (account_id, id desc) include (deleted_at);
--! then
drop index concurrently if exists statuses_by_account;
--! then
drop index concurrently if exists status_edits_by_account;
--! then
create index concurrently status_edits_by_account on status_edits (account_id);
--! then
drop index concurrently if exists account_notes_by_target;
--! then
create index concurrently account_notes_by_target on account_notes (target_account_id);
--! then
drop index concurrently if exists featured_tags_by_tag;
--! then
create index concurrently featured_tags_by_tag on featured_tags (tag_id);
