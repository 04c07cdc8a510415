-- Polls of statuses and their votes.
-- Locks: none on existing tables, but for a moment statuses and accounts, which the new ones refer to.

create table polls (
  id bigint primary key generated always as identity,
  status_id bigint not null unique references statuses (id) on delete cascade,
  options text[] not null,
  tallies integer[] not null,                    -- votes by option, in the order of the options
  voters_count integer not null default 0,
  multiple boolean not null,
  hide_totals boolean not null,
  expires_in_s integer,                          -- as the author asked; null for remote polls
  expires_at timestamptz,                        -- null: never (remote)
  ended_at timestamptz,                          -- when author and voters began to be told of the end
  created_at timestamptz not null default now()
) with (fillfactor = 80);

create table poll_votes (
  poll_id bigint not null references polls (id) on delete cascade,
  account_id bigint not null references accounts (id) on delete cascade,
  choice integer not null,                       -- place among the options, from 0
  created_at timestamptz not null default now(),
  primary key (poll_id, account_id, choice)
);

create index poll_votes_by_account on poll_votes (account_id);

-- A poll as src/polls/fragment.ts takes it. server: the author's, null for this one.
create function poll_json(poll polls, server text) returns jsonb
language sql stable as $$
  select jsonb_build_object(
    'id', poll.id::text, 'options', poll.options, 'tallies', poll.tallies, 'voters_count', poll.voters_count,
    'multiple', poll.multiple, 'hide_totals', poll.hide_totals,
    'expires_at_ms', floor(extract(epoch from poll.expires_at) * 1000)::bigint,
    'emojis', case
      when array_to_string(poll.options, ' ') like '%:%:%' then emojis_in(array_to_string(poll.options, ' '), server)
    end
  )
$$;
