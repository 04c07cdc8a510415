-- What local people do with polls, quotes, pins and hashtags of their profiles reaches other servers.
-- The new column is nullable: the table is locked for a moment only. The triggers wait for the
-- statements on their tables that run at the time.

-- When the results of a poll of another server were last asked for.
alter table polls add column fetched_at timestamptz;

--! function federate_votes
--! function federate_poll_end
create trigger poll_votes_federated after insert on poll_votes referencing new table as changed for each statement
  execute function federate_votes();
create trigger polls_federated_end after update of ended_at on polls for each row
  when (old.ended_at is null and new.ended_at is not null)
  execute function federate_poll_end();
