-- What local people do with polls, quotes, pins and hashtags of their profiles reaches other
-- servers. The new column is nullable: the table is locked for a moment only. The triggers wait for
-- the statements on their tables that run at the time.

-- When the results of a poll of another server were last asked for.
alter table polls add column fetched_at timestamptz;

--! function federate_votes
--! function federate_poll_end
create trigger poll_votes_federated after insert on poll_votes referencing new table as changed for each statement
  execute function federate_votes();
create trigger polls_federated_end after update of ended_at on polls for each row
  when (old.ended_at is null and new.ended_at is not null)
  execute function federate_poll_end();

--! function federate_quotes
--! function federate_revocations
create trigger quotes_federated after insert on quotes for each row
  when (new.state = 'pending')
  execute function federate_quotes();
create trigger quotes_federated_revocation after update of state on quotes for each row
  when (old.state = 'accepted' and new.state = 'revoked')
  execute function federate_revocations();

-- Authors elsewhere may decide on quotes themselves: on anybody's (manual), on those of followers
-- (manual_followers), or on anybody's but those of followers, which they allow (followers_manual).
-- Rows that are there fit, so the check is not made for them.
alter table statuses drop constraint statuses_quote_approval_policy_check;
alter table statuses add constraint statuses_quote_approval_policy_check
  check (quote_approval_policy in ('public', 'followers', 'nobody', 'manual', 'manual_followers', 'followers_manual')) not valid;

--! function federate_featured
create trigger status_pins_federated after insert on status_pins referencing new table as changed for each statement
  execute function federate_featured();
create trigger status_pins_federated_end after delete on status_pins referencing old table as changed for each statement
  execute function federate_featured();
create trigger featured_tags_federated after insert on featured_tags referencing new table as changed for each statement
  execute function federate_featured();
create trigger featured_tags_federated_end after delete on featured_tags referencing old table as changed for each statement
  execute function federate_featured();
