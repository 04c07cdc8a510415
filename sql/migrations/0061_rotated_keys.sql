-- The key that signs an activity in the place of its sender's current one: the old one, for the
-- Update that announces a new one. The column is null, so that the table is locked for a moment
-- only.
alter table outgoing_activities add column signing_key bytea;
