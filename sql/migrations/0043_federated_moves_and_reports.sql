-- Moves of local accounts and reports reach other servers; threads elsewhere are asked for replies.
-- The triggers wait for the statements on their tables that run at the time.

--! function federate_moves
create trigger account_migrations_federated after insert on account_migrations for each row
  execute function federate_moves();

--! function federate_reports
create trigger reports_federated after insert on reports for each row
  when (new.forwarded_to <> '{}')
  execute function federate_reports();

-- When the replies to a status of another server were last asked for.
create table reply_fetches (
  status_id bigint primary key references statuses (id) on delete cascade,
  fetched_at timestamptz not null default now()
);
